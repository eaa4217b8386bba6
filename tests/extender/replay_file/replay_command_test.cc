// The command on files, and what it prints against goldens.
#include "extender/replay_file/replay_command.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/base/file.h"
#include "tests/extender/replay_file/recorded_text.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;
using recorded::Lab;
using testing::HasSubstr;

constexpr char kGoldens[] = "tests/testdata/replay/";

class ReplayCommandTest : public testing::Test {
 protected:
  ReplayCommandTest() {
    const auto bad = [](int minute) { return minute >= 20 && minute < 150; };
    Write("links.json", recorded::Range(240, [&](int minute) {
                          return bad(minute) ? Lab("Degraded", 0.12) : Lab();
                        }).dump());
    Write("fairlead.yaml",
          "sites:\n  - {name: hk, latitude: 22.32, longitude: 114.17}\n"
          "  - {name: sg, latitude: 1.35, longitude: 103.82}\n"
          "tls: {plaintext: true}\n");
    Write("jobs.yaml",
          "room: {hk: 8, sg: 8, tyo: 8}\n"
          "gangs:\n"
          "  - name: llm-7b\n    namespace: ml\n    members: {hk: 4, sg: 4}\n"
          "    annotations: {comm-pattern: allreduce, comm-bytes: 50MB, compute-ms: \"200\",\n"
          "                  checkpoint-on-request: \"true\"}\n"
          "  - name: vision\n    namespace: cv\n    members: {tyo: 4}\n"
          "    start: 2026-11-30T01:00:00Z\n");
  }

  std::string Path(const std::string& name) const { return testing::TempDir() + "replay-" + name; }
  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(ReplaceFile(Path(name), text));
  }
  ReplayWish Wish() const {
    return {.links_file = Path("links.json"),
            .jobs_file = Path("jobs.yaml"),
            .config_file = Path("fairlead.yaml"),
            .svg_file = {},
            .json = false};
  }
  // Without the folder of the files.
  std::string Plain(std::string text) const {
    const std::string folder = Path("");
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
      text.erase(at, folder.size());
    }
    return text;
  }
};

std::string Golden(const std::string& name) {
  const auto text = ReadFile(kGoldens + name, 1 << 20);
  EXPECT_TRUE(text) << text.error().message;
  return text.value_or("");
}

TEST_F(ReplayCommandTest, PrintsMovesGangsAndThresholds) {
  const auto text = RunReplay(Wish());
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(Plain(*text), Golden("replay.txt"));
}

TEST_F(ReplayCommandTest, DrawsAPictureThatStandsAlone) {
  ReplayWish wish = Wish();
  wish.svg_file = Path("replay.svg");
  ASSERT_TRUE(RunReplay(wish));
  const auto svg = ReadFile(wish.svg_file, 1 << 20);
  ASSERT_TRUE(svg) << svg.error().message;
  EXPECT_EQ(Plain(*svg), Golden("replay.svg"));
}

TEST_F(ReplayCommandTest, JsonSaysTheSame) {
  ReplayWish wish = Wish();
  wish.json = true;
  const auto text = RunReplay(wish);
  ASSERT_TRUE(text) << text.error().message;
  const json whole = json::parse(*text);
  EXPECT_EQ(whole["format"], "fairlead-replay");
  ASSERT_EQ(whole["moves"].size(), 1U);
  EXPECT_EQ(whole["moves"][0]["gang"], "ml/llm-7b");
  EXPECT_EQ(whole["moves"][0]["leaves"], json::parse(R"([["hk", "sg"]])"));
  EXPECT_NEAR(whole["together"]["regret_seconds"].get<double>(),
              whole["gangs"][0]["regret_seconds"].get<double>(), 1e-9);
  EXPECT_EQ(whole["gangs"][1]["ran_seconds"], 180 * 60);
  EXPECT_EQ(whole["thresholds"].size(), 12U);
}

TEST_F(ReplayCommandTest, ABadFileGivesAnErrorAndNoPicture) {
  for (const char* name : {"links.json", "jobs.yaml", "fairlead.yaml"}) {
    SCOPED_TRACE(name);
    ReplayWish wish = Wish();
    wish.svg_file = Path("none.svg");
    for (std::string* file : {&wish.links_file, &wish.jobs_file, &wish.config_file}) {
      if (*file != Path(name)) continue;
      *file = Path("bad");
      Write("bad", "}nonsense\n");
    }
    const auto text = RunReplay(wish);
    ASSERT_FALSE(text);
    EXPECT_THAT(text.error().message, HasSubstr("bad:1: "));
    EXPECT_FALSE(ReadFile(wish.svg_file, 1));
  }
  ReplayWish wish = Wish();
  wish.links_file = Path("nowhere");
  ASSERT_FALSE(RunReplay(wish));
  wish = Wish();
  wish.svg_file = "/nowhere/replay.svg";
  const auto text = RunReplay(wish);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("/nowhere/replay.svg"));
  wish.svg_file = Path("link.svg");
  std::filesystem::remove(wish.svg_file);
  std::filesystem::create_symlink(Path("none.svg"), wish.svg_file);
  EXPECT_FALSE(RunReplay(wish));
}

TEST_F(ReplayCommandTest, ThePictureNeverReplacesAFileThatItIsDrawnFrom) {
  for (const char* name : {"links.json", "jobs.yaml", "fairlead.yaml"}) {
    SCOPED_TRACE(name);
    const auto before = ReadFile(Path(name), 1 << 20);
    const std::string by_another_path = testing::TempDir() + "./replay-" + name;
    for (const std::string& svg : {Path(name), by_another_path}) {
      ReplayWish wish = Wish();
      wish.svg_file = svg;
      const auto text = RunReplay(wish);
      ASSERT_FALSE(text);
      EXPECT_THAT(text.error().message, HasSubstr("--svg " + svg + " is the file of --"));
      EXPECT_THAT(text.error().message, HasSubstr("name another one"));
    }
    EXPECT_EQ(ReadFile(Path(name), 1 << 20).value(), before.value());
  }
}

}  // namespace
}  // namespace fairlead::extender
