// The link page, as the build embeds links_page.html.
#pragma once

#include <string_view>

namespace fairlead::extender {

std::string_view LinksPage();

}  // namespace fairlead::extender
