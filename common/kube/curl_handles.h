// Owners of libcurl's objects.
#pragma once

#include <curl/curl.h>

#include <memory>

namespace fairlead::kube {

template <auto Free>
struct CurlDeleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using CurlEasy = std::unique_ptr<CURL, CurlDeleter<curl_easy_cleanup>>;
using CurlMulti = std::unique_ptr<CURLM, CurlDeleter<curl_multi_cleanup>>;
using CurlList = std::unique_ptr<curl_slist, CurlDeleter<curl_slist_free_all>>;

}  // namespace fairlead::kube
