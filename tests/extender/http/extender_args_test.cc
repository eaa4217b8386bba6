#include "extender/http/extender_args.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "common/http/http_body.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kSiteLabel = "topology.kubernetes.io/region";

// Keeps a padded copy of the body as long as what was read from it.
class Reading {
 public:
  explicit Reading(const std::string& body) : padded_(body + std::string(kBodyPadding, '\0')) {
    const auto args = reader_.Read(std::string_view(padded_).substr(0, body.size()), kSiteLabel);
    if (args) {
      args_ = *args;
    } else {
      fault_ = args.error();
    }
  }

  bool ok() const { return args_ != nullptr; }
  const ExtenderArgs& args() const { return *args_; }
  const DecodeFault& fault() const { return fault_; }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const OfferedNode& node : args_->nodes) names.emplace_back(node.name);
    return names;
  }

 private:
  std::string padded_;
  ExtenderArgsReader reader_;
  const ExtenderArgs* args_ = nullptr;
  DecodeFault fault_;
};

std::string ReadTestdata(const std::string& name) {
  std::ifstream file("tests/testdata/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ExtenderArgs, ReadsWhatKubeSchedulerSent) {
  const Reading reading(ReadTestdata("kube-scheduler-1.37/prioritize-names-job-index1.json"));
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  const ExtenderArgs& args = reading.args();
  EXPECT_TRUE(args.has_pod);
  EXPECT_EQ(args.pod.name, "gang1-1-bzt5g");
  EXPECT_EQ(args.pod.namespace_name, "default");
  EXPECT_EQ(args.pod.uid, "c960347a-5278-4020-bae3-81d7b1be8f43");
  EXPECT_EQ(args.pod.labels.at("batch.kubernetes.io/job-name"), "gang1");
  EXPECT_EQ(args.pod.annotations.at("batch.kubernetes.io/job-completion-index"), "1");
  ASSERT_EQ(args.pod.owners.size(), 1U);
  EXPECT_EQ(args.pod.owners[0].kind, "Job");
  EXPECT_TRUE(args.pod.owners[0].controller);
  EXPECT_THAT(args.pod.requests, ElementsAre(Pair("rdma/hca", 1U)));
  EXPECT_TRUE(args.has_node_names);
  EXPECT_FALSE(args.has_nodes);
  EXPECT_THAT(reading.Names(), ElementsAre("n1", "n2", "n3", "n4"));
}

TEST(ExtenderArgs, FullNodesKeepTheirBytesAndTellTheirSite) {
  const std::string a =
      R"({"metadata":{"name":"a","labels":{"x":"}","topology.kubernetes.io/region":"hk"}},"spec":{}})";
  const std::string b = R"({ "metadata" : {"labels":null,"name":"b"}, "status":{"x":[{}]} })";
  const Reading reading(R"({"Pod":null,"Nodes":{"metadata":{"resourceVersion":"7"},"items":[)" + a +
                        " ,\n" + b + " ]},\"NodeNames\":null}");
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  const ExtenderArgs& args = reading.args();
  EXPECT_FALSE(args.has_pod);
  EXPECT_TRUE(args.has_nodes);
  EXPECT_EQ(args.nodes_metadata, R"({"resourceVersion":"7"})");
  ASSERT_EQ(args.nodes.size(), 2U);
  EXPECT_EQ(args.nodes[0].raw, a);
  EXPECT_EQ(args.nodes[0].site, "hk");
  EXPECT_EQ(args.nodes[1].raw, b);
  EXPECT_EQ(args.nodes[1].name, "b");
  EXPECT_EQ(args.nodes[1].site, "");
}

TEST(ExtenderArgs, BothFormsGivenAreOneList) {
  const std::string nodes =
      R"("Nodes":{"items":[{"metadata":{"name":"b"}},{"metadata":{"name":"z"}},)"
      R"({"metadata":{"name":"z"},"x":1},{"metadata":{"name":"b"},"x":1}]})";
  const std::string names = R"("NodeNames":["a","b","a"])";
  for (const std::string& body :
       {"{" + nodes + "," + names + "}", "{" + names + "," + nodes + "}"}) {
    const Reading reading(body);
    ASSERT_TRUE(reading.ok()) << reading.fault().message;
    EXPECT_THAT(reading.Names(), ElementsAre("a", "b", "z"));
    EXPECT_EQ(reading.args().nodes[0].raw, "");
    EXPECT_EQ(reading.args().nodes[1].raw, R"({"metadata":{"name":"b"}})");
    EXPECT_EQ(reading.args().nodes[2].raw, R"({"metadata":{"name":"z"}})");
    EXPECT_TRUE(reading.args().has_nodes);
    EXPECT_TRUE(reading.args().has_node_names);
  }
  const Reading no_names(R"({"Nodes":{"items":[{"metadata":{"name":"b"}}]},"NodeNames":[]})");
  ASSERT_TRUE(no_names.ok());
  EXPECT_THAT(no_names.Names(), ElementsAre("b"));
}

struct Lenient {
  const char* name;
  const char* body;
  std::vector<std::string> names;
};

class LenientBody : public testing::TestWithParam<Lenient> {};

TEST_P(LenientBody, IsRead) {
  const Reading reading(GetParam().body);
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  EXPECT_EQ(reading.Names(), GetParam().names);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, LenientBody,
    testing::Values(
        Lenient{"empty_object", "{}", {}},
        Lenient{"all_null", R"({"Pod":null,"Nodes":null,"NodeNames":null})", {}},
        Lenient{"lower_case", R"({"pod":{},"nodes":null,"nodenames":["a"]})", {"a"}},
        Lenient{"mixed_case", R"({"NODENAMES":["a"]})", {"a"}},
        Lenient{"escaped_key", "{\"Node\\u004eames\":[\"a\"]}", {"a"}},
        Lenient{"unknown_keys",
                R"({"x":[1,{"y":[]}],"NodeNames":["a"],"z":{"NodeNames":["b"]}})",
                {"a"}},
        Lenient{"repeated_last_wins", R"({"NodeNames":["a","b"],"NodeNames":["c"]})", {"c"}},
        Lenient{"repeated_null", R"({"NodeNames":["a"],"nodeNames":null})", {}},
        Lenient{"repeated_names", R"({"NodeNames":["a","b","a"]})", {"a", "b"}},
        Lenient{"empty_and_null_names", R"({"NodeNames":["",null,"a"]})", {"a"}},
        Lenient{"white_space", " \n{ \"NodeNames\" : [ \"a\" ] }\n ", {"a"}},
        Lenient{"items_null", R"({"Nodes":{"metadata":null,"items":null}})", {}},
        Lenient{"null_items", R"({"Nodes":{"items":[null,{"metadata":null},{}]}})", {}},
        Lenient{
            "null_pod_parts",
            R"({"Pod":{"metadata":{"labels":null,"annotations":null,"ownerReferences":null,"name":null},"spec":null},"NodeNames":["a"]})",
            {"a"}},
        Lenient{"odd_names",
                R"({"NodeNames":["\u0000","\"\\","é","<b>"]})",
                {std::string(1, '\0'), "\"\\", "\xc3\xa9", "<b>"}}),
    [](const auto& param) { return param.param.name; });

struct Broken {
  const char* name;
  std::string body;
  const char* reason;
};

class BrokenBody : public testing::TestWithParam<Broken> {};

TEST_P(BrokenBody, IsRefusedWithItsReason) {
  const Reading reading(GetParam().body);
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.fault().reason, GetParam().reason);
  EXPECT_NE(reading.fault().message, "");
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, BrokenBody,
    testing::Values(Broken{"empty", "", "empty_body"}, Broken{"blank", "  \n", "empty_body"},
                    Broken{"open_brace", "{", "truncated"},
                    Broken{"cut_in_list", R"({"NodeNames":["a")", "truncated"},
                    Broken{"cut_in_string", R"({"NodeNames":["a)", "truncated"},
                    Broken{"array", "[]", "wrong_type"}, Broken{"number", "17", "wrong_type"},
                    Broken{"text", "hello", "wrong_type"},
                    Broken{"pod_is_number", R"({"Pod":5})", "wrong_type"},
                    Broken{"labels_are_list", R"({"Pod":{"metadata":{"labels":[]}}})",
                           "wrong_type"},
                    Broken{"uid_is_object", R"({"Pod":{"metadata":{"uid":{}}}})", "wrong_type"},
                    Broken{"names_are_text", R"({"NodeNames":"a"})", "wrong_type"},
                    Broken{"name_is_number", R"({"NodeNames":[1]})", "wrong_type"},
                    Broken{"no_colon", R"({"NodeNames" ["a"]})", "not_json"},
                    Broken{"no_comma", R"({"NodeNames":["a" "b"]})", "not_json"},
                    Broken{"bad_escape", R"({"NodeNames":["\q"]})", "not_json"},
                    Broken{"lone_surrogate", R"({"NodeNames":["\ud800"]})", "not_json"},
                    Broken{"not_utf8", "{\"NodeNames\":[\"\xff\"]}", "not_utf8"},
                    Broken{"two_values", "{}{}", "trailing_bytes"}),
    [](const auto& param) { return param.param.name; });

TEST(ExtenderArgs, EveryPrefixOfARealBodyIsRefused) {
  const std::string body = ReadTestdata("kube-scheduler-1.37/filter-names-job-index0.json");
  const std::size_t end = body.find_last_of('}');
  for (std::size_t size = 0; size < end; ++size) {
    EXPECT_FALSE(Reading(body.substr(0, size)).ok()) << size;
  }
}

TEST(ExtenderArgs, DeepNestingUnderUnknownKeysIsSkippedWithoutRecursion) {
  const std::size_t depth = 1'000'000;
  const Reading reading("{\"x\":" + std::string(depth, '[') + std::string(depth, ']') +
                        ",\"NodeNames\":[\"a\"]}");
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  EXPECT_THAT(reading.Names(), ElementsAre("a"));
}

TEST(ExtenderArgs, DeepNestingThatNeverClosesIsRefused) {
  EXPECT_FALSE(Reading("{\"x\":" + std::string(1'000'000, '{')).ok());
  EXPECT_FALSE(Reading("{\"Pod\":" + std::string(1'000'000, '[') + "}").ok());
}

TEST(ExtenderArgs, TenThousandNamesInOrder) {
  std::string body = R"({"NodeNames":[)";
  std::vector<std::string> expected;
  for (int i = 0; i < 10'000; ++i) {
    expected.push_back("node-" + std::to_string(i) + ".example");
    body += (i == 0 ? "\"" : ",\"") + expected.back() + "\"";
  }
  const Reading reading(body + "]}");
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  EXPECT_EQ(reading.Names(), expected);
}

TEST(ExtenderArgs, TooManyNamesAreRefused) {
  std::string body = R"({"NodeNames":["a")";
  for (int i = 0; i < 100'000; ++i) body += ",\"a\"";
  const Reading reading(body + "]}");
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.fault().reason, "too_many_nodes");
}

TEST(ExtenderArgs, WhatKubernetesCannotHoldIsRefusedByItsField) {
  const std::string name(513, 'n');
  const std::string text(2U << 20, 'v');
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "\"l" + std::to_string(i) + "\":\"\",";
  const std::pair<std::string, const char*> cases[] = {
      {R"({"Pod":{"metadata":{"name":")" + name + "\"}}}", "Pod.metadata.name"},
      {R"({"Pod":{"metadata":{"uid":")" + name + "\"}}}", "Pod.metadata.uid"},
      {R"({"Pod":{"metadata":{"labels":{"a":")" + name + "\"}}}}", "Pod.metadata.labels"},
      {R"({"Pod":{"metadata":{"labels":{")" + name + "\":\"a\"}}}}", "Pod.metadata.labels"},
      {R"({"Pod":{"metadata":{"labels":{)" + many + R"("a":"b"}}}})", "Pod.metadata.labels"},
      {R"({"Pod":{"metadata":{"annotations":{"a":")" + text + "\"}}}}", "Pod.metadata.annotations"},
      {R"({"Pod":{"metadata":{"ownerReferences":[{"uid":")" + name + "\"}]}}}",
       "Pod.metadata.ownerReferences"},
      {R"({"NodeNames":[")" + name + "\"]}", "NodeNames"},
      {R"({"Nodes":{"items":[{"metadata":{"name":")" + name + "\"}}]}}", "Nodes"},
  };
  for (const auto& [body, field] : cases) {
    const Reading reading(body);
    ASSERT_FALSE(reading.ok()) << field;
    EXPECT_EQ(reading.fault().reason, "too_long") << field;
    EXPECT_EQ(reading.fault().message, std::string(field) + " is longer than Kubernetes allows");
  }
}

TEST(ExtenderArgs, ALongAnnotationIsRead) {
  const std::string text(256U << 10, 'v');
  const Reading reading(R"({"Pod":{"metadata":{"annotations":{"a":")" + text + "\"}}}}");
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  EXPECT_EQ(reading.args().pod.annotations.at("a"), text);
}

TEST(ExtenderArgs, ABodyThatIsNoObjectIsToldSo) {
  for (const char* body : {"hello", "null", "[]", "17", "\xef\xbb\xbf{}"}) {
    const Reading reading(body);
    ASSERT_FALSE(reading.ok()) << body;
    EXPECT_EQ(reading.fault().message, "the body is not a JSON object; send ExtenderArgs as JSON");
  }
}

TEST(ExtenderArgs, WhatFollowsTheJsonIsToldWithItsPlace) {
  const std::string body = R"({"NodeNames":["}\"]"]})";  // 22 bytes
  const struct {
    std::string behind;
    std::size_t at;
  } kCases[] = {{"x", 22},        {" \n trailing text", 25},
                {"{}", 22},       {" {", 23},
                {"}", 22},        {"]", 22},
                {",", 22},        {"\"open", 22},
                {"\"text\"", 22}, {"[1", 22},
                {"null", 22},     {std::string(1, '\0'), 22}};
  for (const auto& c : kCases) {
    const Reading reading(body + c.behind);
    ASSERT_FALSE(reading.ok()) << c.behind;
    EXPECT_EQ(reading.fault().reason, "trailing_bytes") << c.behind;
    EXPECT_EQ(reading.fault().message, "the JSON has ended, but more follows it at byte " +
                                           std::to_string(c.at) + ", counted from 0");
  }
}

TEST(ExtenderArgs, ABracketThatClosesNoneIsToldWithItsPlace) {
  const Reading reading(R"({"NodeNames":["a"}] x)");
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.fault().reason, "not_json");
  EXPECT_NE(reading.fault().message.find("byte 17"), std::string::npos) << reading.fault().message;
}

TEST(ExtenderArgs, RequestsAreTheLargerOfContainersAndAnyInitContainer) {
  const Reading reading(R"({"Pod":{"spec":{
    "initContainers":[{"resources":{"requests":{"rdma/hca":"5","a/b":"1"}}},{"resources":{}}],
    "containers":[{"resources":{"requests":{"rdma/hca":"2","cpu":"8"}}},
                  {"resources":{"limits":{"rdma/hca":1}}},
                  {"resources":{"requests":{"rdma/hca":"1.5","c/d":"2k","e/f":"many"}}},
                  {"resources":null}]}}})");
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  EXPECT_THAT(reading.args().pod.requests,
              ElementsAre(Pair("a/b", 1U), Pair("c/d", 2000U), Pair("rdma/hca", 5U)));
  EXPECT_EQ(reading.args().pod.unreadable_request, "e/f \"many\"");
}

TEST(ExtenderArgs, SchedulingGroupAndNodeNameAreRead) {
  const Reading reading(
      R"({"Pod":{"spec":{"nodeName":"n9","schedulingGroup":{"podGroupName":"g"}}}})");
  ASSERT_TRUE(reading.ok()) << reading.fault().message;
  EXPECT_EQ(reading.args().pod.node_name, "n9");
  EXPECT_EQ(reading.args().pod.scheduling_pod_group, "g");
}

TEST(ExtenderArgs, AReaderKeepsNothingOfTheBodyBefore) {
  ExtenderArgsReader reader;
  const std::string first =
      R"({"Pod":{"metadata":{"name":"p","labels":{"l":"1"}}},"NodeNames":["a","b"]})" +
      std::string(kBodyPadding, '\0');
  const std::string second = R"({"NodeNames":["c"]})" + std::string(kBodyPadding, '\0');
  ASSERT_TRUE(reader.Read(std::string_view(first).substr(0, first.size() - kBodyPadding), "l"));
  const auto args =
      reader.Read(std::string_view(second).substr(0, second.size() - kBodyPadding), "l");
  ASSERT_TRUE(args);
  EXPECT_FALSE((*args)->has_pod);
  EXPECT_EQ((*args)->pod.name, "");
  EXPECT_THAT((*args)->pod.labels, IsEmpty());
  ASSERT_EQ((*args)->nodes.size(), 1U);
}

}  // namespace
}  // namespace fairlead::extender
