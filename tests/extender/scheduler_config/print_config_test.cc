#include "extender/scheduler_config/print_config.h"

#include <gmock/gmock.h>

#include "tests/extender/scheduler_config/judged.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

TEST(PrintSchedulerConfig, NothingIsWrongWithWhatIsPrinted) {
  for (const SchedulerKind kind : {SchedulerKind::kKubeScheduler, SchedulerKind::kVolcano}) {
    for (const char* url : {"http://127.0.0.1:8471", "http://10.1.2.3:8471/"}) {
      const auto text = PrintSchedulerConfig({.kind = kind, .url = url});
      ASSERT_TRUE(text) << text.error().message;
      EXPECT_EQ(Brief(JudgeText(*text)), "") << *text;
    }
  }
}

TEST(PrintSchedulerConfig, NothingIsWrongWithTheMostAndTheLeastThatItTakes) {
  for (const std::uint32_t weight : {3, 100}) {
    for (const char* timeout : {"50ms", "0.05s", "1s", "1000000us"}) {
      const auto text = PrintSchedulerConfig({.timeout = timeout, .weight = weight});
      ASSERT_TRUE(text) << text.error().message;
      EXPECT_EQ(Brief(JudgeText(*text)), "") << *text;
    }
  }
}

TEST(PrintSchedulerConfig, TextThatWouldBeAnotherTypeIsInQuotes) {
  for (const char* name : {"5", "yes", "null", "1e3", "0x5"}) {
    const auto text = PrintSchedulerConfig({.url = "https://a", .ca_file = name});
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(Brief(JudgeText(*text)), "") << *text;
    EXPECT_THAT(*text, HasSubstr("caFile: '" + std::string(name) + "'\n"));
  }
}

TEST(PrintSchedulerConfig, HasItsTlsFiles) {
  const auto text = PrintSchedulerConfig({.kind = SchedulerKind::kKubeScheduler,
                                          .url = "https://extender.svc:8471",
                                          .ca_file = "/etc/x/ca.crt",
                                          .certificate_file = "/etc/x/it's.crt",
                                          .key_file = "/etc/x/tls.key"});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(Brief(JudgeText(*text)), "") << *text;
  EXPECT_THAT(*text, HasSubstr("urlPrefix: 'https://extender.svc:8471/kube'\n"));
  EXPECT_THAT(*text, HasSubstr("caFile: /etc/x/ca.crt\n"));
  EXPECT_THAT(*text, HasSubstr("certFile: '/etc/x/it''s.crt'\n"));
}

TEST(PrintSchedulerConfig, RefusesWhatWouldNotWork) {
  const std::pair<SchedulerConfigWish, const char*> cases[] = {
      {{.url = "127.0.0.1:8471"}, "no URL"},
      {{.url = "http://127.0.0.1:8471/kube"}, "has a path"},
      {{.url = "https://127.0.0.1:8471"}, "--ca-file"},
      {{.url = "http://127.0.0.1:8471", .ca_file = "/ca"}, "not https"},
      {{.url = "https://a", .ca_file = "/ca", .key_file = "/key"}, "go together"},
      {{.kind = SchedulerKind::kVolcano, .url = "https://a", .ca_file = "/ca"}, "no TLS files"},
      {{.url = "http://a\nb"}, "control character"},
      {{.url = "http://a b"}, "has a space"},
      {{.url = "http://a'b"}, "no URL"},
      {{.url = "http://[::1"}, "no URL"},
      {{.url = "http://a:99999"}, "no URL"},
      {{.url = "http://a:"}, "no URL"},
      {{.url = "http://fe80::1:80"}, "no URL"},
      {{.resource = "hca"}, "not a resource name"},
      {{.resource = "a_b/c"}, "not a resource name"},
      {{.resource = "kubernetes.io/hca"}, "belongs to Kubernetes"},
      {{.timeout = "soon"}, "no duration"},
      {{.timeout = "0"}, "not from 50ms to 1s"},
      {{.timeout = "0s"}, "not from 50ms to 1s"},
      {{.timeout = "49ms"}, "not from 50ms to 1s"},
      {{.timeout = "1001ms"}, "not from 50ms to 1s"},
      {{.weight = 2}, "not from 3 to 100"},
      {{.weight = 101}, "not from 3 to 100"},
      {{.kind = SchedulerKind::kVolcano, .weight = 5}, "kube-scheduler's alone"}};
  for (const auto& [wish, reason] : cases) {
    const auto text = PrintSchedulerConfig(wish);
    ASSERT_FALSE(text) << reason;
    EXPECT_THAT(text.error().message, HasSubstr(reason));
  }
}

}  // namespace
}  // namespace fairlead::extender
