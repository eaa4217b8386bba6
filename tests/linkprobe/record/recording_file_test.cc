// The file format, whole and spoilt.
#include "linkprobe/record_file/recording_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "linkprobe/record_file/record_codec.h"
#include "tests/common/support/temp_directory.h"
#include "tests/linkprobe/record/series.h"

namespace fairlead::linkprobe {
namespace {

std::string FileText(std::size_t windows, bool ended = true) {
  std::string text = EncodeHeader(MakeFacts()) + "\n";
  for (std::size_t i = 0; i < windows; ++i) text += EncodeWindow(MakeWindow(i, 0.036)) + "\n";
  return ended ? text + EncodeEnd({"complete"}) + "\n" : text;
}

std::size_t WindowsIn(const Recording& recording) {
  std::size_t count = 0;
  for (const auto& [key, windows] : recording.lines) count += windows.size();
  return count;
}

TEST(RecordCodecTest, ReadsBackWhatItWrote) {
  LineWindow window = MakeWindow(3, 0.036123456);
  window.path = 2;
  window.forward.lost = 4;
  window.reverse.delay_variation = Nanoseconds(123);
  window.lost_unknown = 1;
  window.host_delay = Nanoseconds(45'678);
  window.bandwidth = WindowBandwidth{9.5e9, "train"};
  window.tested = true;
  window.rtt_p99 = std::nullopt;
  const auto line = DecodeRecordLine(EncodeWindow(window));
  ASSERT_TRUE(line) << line.error().message;
  const auto& read = std::get<LineWindow>(*line);
  EXPECT_EQ(read.line, window.line);
  EXPECT_EQ(read.path, 2U);
  EXPECT_EQ(read.rung, window.rung);
  EXPECT_EQ(read.begin, window.begin);
  EXPECT_EQ(read.end, window.end);
  EXPECT_EQ(read.rtt_p50, window.rtt_p50);
  EXPECT_FALSE(read.rtt_p99);
  EXPECT_EQ(read.forward.lost, 4U);
  EXPECT_EQ(read.reverse.delay_variation, Nanoseconds(123));
  EXPECT_EQ(read.lost_unknown, 1U);
  EXPECT_EQ(read.host_delay, Nanoseconds(45'678));
  ASSERT_TRUE(read.bandwidth);
  EXPECT_EQ(read.bandwidth->bits_per_second, 9.5e9);
  EXPECT_EQ(read.bandwidth->source, "train");
  EXPECT_TRUE(read.tested);

  const auto header = DecodeRecordLine(EncodeHeader(MakeFacts()));
  ASSERT_TRUE(header) << header.error().message;
  const auto& facts = std::get<RecordingFacts>(*header);
  EXPECT_EQ(facts.host, "hk-1");
  EXPECT_EQ(facts.window, Nanoseconds(Seconds(5)));
  EXPECT_EQ(facts.started, MakeFacts().started);
}

TEST(RecordCodecTest, LinesOfLaterWritersArePassedOver) {
  const auto line = DecodeRecordLine(R"({"type":"weather","sky":"grey"})");
  ASSERT_TRUE(line);
  EXPECT_TRUE(std::holds_alternative<OtherRecordLine>(*line));
}

TEST(RecordCodecTest, SaysWhatIsWrong) {
  const std::string good = EncodeWindow(MakeWindow(0, 0.036));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::pair<std::string, const char*> cases[] = {
      {"", "no JSON"},
      {"rtt min/avg/max = 1/2/3", "no JSON"},
      {"[1,2]", "no JSON object"},
      {"{}", "has no type"},
      {R"({"type":7})", "type is no text"},
      {with("\"samples\":50", "\"samples\":-1"), "samples is no count"},
      {with("\"samples\":50", "\"samples\":1.5"), "samples is no count"},
      {with("\"samples\":50", "\"samples\":NaN"), "no JSON"},
      {with("\"rtt_p50_seconds\":0.036", "\"rtt_p50_seconds\":1e999"), "no JSON"},
      {with("\"rtt_p50_seconds\":0.036", "\"rtt_p50_seconds\":1e300"),
       "rtt_p50_seconds is out of range"},
      {with("\"rtt_p50_seconds\":0.036", "\"rtt_p50_seconds\":\"fast\""),
       "rtt_p50_seconds is no number"},
      {with("\"path\":0", "\"path\":4294967296"), "path is too large"},
      {with("rdma_ud_sw", "pigeon"), "transport \"pigeon\" is not known"},
      {with("\"forward\":{", "\"forward\":7,\"x\":{"), "is no JSON object"},
      {with("\"line\":", "\"lime\":"), "has no line"},
  };
  for (const auto& [text, part] : cases) {
    const auto decoded = DecodeRecordLine(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_NE(decoded.error().message.find(part), std::string::npos) << decoded.error().message;
  }
  EXPECT_FALSE(DecodeRecordLine(std::string(100'000, '[')));
}

TEST(ParseRecordingTest, AWholeFile) {
  const auto recording = ParseRecording("r.jsonl", FileText(20));
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_EQ(WindowsIn(*recording), 20U);
  EXPECT_TRUE(recording->complete);
  EXPECT_EQ(recording->passed_over, PassedOver{});
}

// Wherever the writing stopped, all windows before are there.
TEST(ParseRecordingTest, CutOffAnywhere) {
  const std::string whole = FileText(3, false);
  const std::size_t header = whole.find('\n');
  for (std::size_t size = header + 1; size < whole.size(); ++size) {
    const std::string text = whole.substr(0, size);
    const auto recording = ParseRecording("r.jsonl", text);
    ASSERT_TRUE(recording) << size;
    const auto breaks = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
    const bool last_is_whole = size + 1 == whole.size() || whole[size] == '\n';
    const bool cut = text.back() != '\n' && !last_is_whole;
    EXPECT_EQ(WindowsIn(*recording), breaks + (text.back() != '\n' && last_is_whole ? 1 : 0))
        << size;
    EXPECT_EQ(recording->passed_over, PassedOver{.cut_off = cut ? 1U : 0U}) << size;
    EXPECT_FALSE(recording->complete);
  }
}

TEST(ParseRecordingTest, SpoiltLinesAreCountedAndTheRestIsRead) {
  std::string text = FileText(2, false);
  text += "some text\n\n{\"type\":\"window\"}\n" + std::string(70'000, 'x') + "\n" +
          std::string("\xff\xfe\x00\x01", 4) + "\n";
  text += EncodeWindow(MakeWindow(2, 0.036)) + "\r\n";
  text += FileText(1);  // another recording run together with it
  const auto recording = ParseRecording("r.jsonl", text);
  ASSERT_TRUE(recording);
  EXPECT_EQ(WindowsIn(*recording), 3U);
  EXPECT_EQ(recording->passed_over, (PassedOver{.unreadable = 5, .out_of_order = 1}));
}

TEST(ParseRecordingTest, WhatIsNoRecordingIsRefusedByName) {
  std::string newer = FileText(1);
  newer.replace(newer.find("\"version\":1"), 11, "\"version\":2");
  std::string other = FileText(1);
  other.replace(other.find("fairlead-record"), 15, "another-tool");
  std::string no_window = FileText(1);
  no_window.replace(no_window.find("\"window_seconds\":5.0"), 20, "\"window_seconds\":0.0");
  const std::pair<std::string, const char*> cases[] = {
      {"", "is empty"},
      {"hello\n", "no JSON"},
      {EncodeWindow(MakeWindow(0, 1)) + "\n", "its beginning cut off"},
      {newer, "version 2 of the format; this program reads version 1"},
      {other, "another-tool"},
      {no_window, "window_seconds is not above 0"},
      {EncodeHeader(MakeFacts()).substr(0, 40), "no JSON"},
  };
  for (const auto& [text, part] : cases) {
    const auto recording = ParseRecording("before.jsonl", text);
    ASSERT_FALSE(recording) << part;
    EXPECT_NE(recording.error().message.find("before.jsonl"), std::string::npos);
    EXPECT_NE(recording.error().message.find(part), std::string::npos) << recording.error().message;
  }
}

TEST(RecordingFileTest, EveryWindowIsThereAtOnce) {
  const TempDirectory directory;
  const std::string path = (directory.path() / "r.jsonl").string();
  auto file = RecordingFile::Create(path, MakeFacts());
  ASSERT_TRUE(file) << file.error().message;
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(file->Append(MakeWindow(i, 0.036)));
    const auto read = ReadRecording(path);
    ASSERT_TRUE(read);
    EXPECT_EQ(WindowsIn(*read), i + 1);
    EXPECT_FALSE(read->complete);
  }
  ASSERT_TRUE(file->Finish(true));
  EXPECT_TRUE(ReadRecording(path)->complete);
}

TEST(RecordingFileTest, AnInterruptedOneSaysSo) {
  const TempDirectory directory;
  const std::string path = (directory.path() / "r.jsonl").string();
  auto file = RecordingFile::Create(path, MakeFacts());
  ASSERT_TRUE(file && file->Append(MakeWindow(0, 0.036)) && file->Finish(false));
  const auto read = ReadRecording(path);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->complete);
  EXPECT_EQ(WindowsIn(*read), 1U);
}

TEST(RecordingFileTest, NeverOverwrites) {
  const TempDirectory directory;
  const std::string path = (directory.path() / "r.jsonl").string();
  ASSERT_TRUE(RecordingFile::Create(path, MakeFacts()));
  const auto again = RecordingFile::Create(path, MakeFacts());
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("exists"), std::string::npos);
  EXPECT_TRUE(ReadRecording(path));
  EXPECT_FALSE(RecordingFile::Create((directory.path() / "no/folder").string(), MakeFacts()));
  EXPECT_FALSE(ReadRecording((directory.path() / "none").string()));
  EXPECT_FALSE(ReadRecording(directory.path().string()));
}

}  // namespace
}  // namespace fairlead::linkprobe
