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
      {{.resource = "hca"}, "no extended resource"},
      {{.timeout = "soon"}, "no duration"}};
  for (const auto& [wish, reason] : cases) {
    const auto text = PrintSchedulerConfig(wish);
    ASSERT_FALSE(text) << reason;
    EXPECT_THAT(text.error().message, HasSubstr(reason));
  }
}

}  // namespace
}  // namespace fairlead::extender
