#include "linkprobe/verbs/ud_queue.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t kReceiveBit = std::uint64_t{1} << 63;
constexpr unsigned kLifeShift = 40;
constexpr std::uint32_t kLifeMask = 0x7fffff;
constexpr unsigned kPathShift = 32;

tl::unexpected<Error> Failed(const char* what, int code) {
  return Fail(code == ENOMEM ? ErrorCode::kResourceExhausted : ErrorCode::kInternal,
              std::string(what) + ": " + std::strerror(code) +
                  (code == ENOMEM ? "; raise the locked-memory limit (ulimit -l) to 256 KiB" : ""));
}

}  // namespace

UdWorkId DecodeWorkId(std::uint64_t wr_id) {
  return UdWorkId{.receive = (wr_id & kReceiveBit) != 0,
                  .life = static_cast<std::uint32_t>(wr_id >> kLifeShift) & kLifeMask,
                  .path = static_cast<std::uint8_t>(wr_id >> kPathShift),
                  .slot = static_cast<std::uint32_t>(wr_id)};
}

std::uint64_t UdQueue::WorkId(bool receive, std::uint32_t slot) const {
  return (receive ? kReceiveBit : 0) | std::uint64_t{life_} << kLifeShift |
         std::uint64_t{options_.path} << kPathShift | slot;
}

Result<std::unique_ptr<UdQueue>> UdQueue::Create(ibv_pd* domain, ibv_cq* completions,
                                                 const UdQueueOptions& options) {
  std::unique_ptr<UdQueue> queue(new UdQueue(options));
  queue->region_.reset(
      ibv_reg_mr(domain, queue->buffers_.get(), sizeof(Buffers), IBV_ACCESS_LOCAL_WRITE));
  if (!queue->region_) return Failed("register probe buffers", errno);
  ibv_qp_init_attr wanted{};
  wanted.send_cq = completions;
  wanted.recv_cq = completions;
  wanted.qp_type = IBV_QPT_UD;
  wanted.cap.max_send_wr = kSendsPerPath;
  wanted.cap.max_recv_wr = kReceivesPerPath;
  wanted.cap.max_send_sge = 1;
  wanted.cap.max_recv_sge = 1;
  queue->pair_.reset(ibv_create_qp(domain, &wanted));
  if (!queue->pair_) return Failed("create UD queue pair", errno);
  if (auto connected = queue->Connect(); !connected) return Fail(connected.error());
  return queue;
}

Status UdQueue::Recover() {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RESET;
  if (const int code = ibv_modify_qp(pair_.get(), &attributes, IBV_QP_STATE); code != 0) {
    return Failed("UD queue pair to RESET", code);
  }
  life_ = (life_ + 1) & kLifeMask;
  return Connect();
}

Status UdQueue::Connect() {
  free_sends_.clear();
  sends_in_flight_.clear();
  unsignalled_ = 0;
  for (std::uint32_t slot = 0; slot < kSendsPerPath; ++slot) free_sends_.push_back(slot);
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.pkey_index = 0;
  attributes.port_num = options_.port;
  attributes.qkey = options_.qkey;
  if (const int code = ibv_modify_qp(pair_.get(), &attributes,
                                     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
      code != 0) {
    return Failed("UD queue pair to INIT", code);
  }
  // Receives posted now are there before the first packet can come.
  for (std::uint32_t slot = 0; slot < kReceivesPerPath; ++slot) {
    if (auto posted = PostReceive(slot); !posted) return posted;
  }
  attributes = ibv_qp_attr{};
  attributes.qp_state = IBV_QPS_RTR;
  if (const int code = ibv_modify_qp(pair_.get(), &attributes, IBV_QP_STATE); code != 0) {
    return Failed("UD queue pair to RTR", code);
  }
  attributes.qp_state = IBV_QPS_RTS;
  attributes.sq_psn = pair_->qp_num & 0xffffff;
  if (const int code = ibv_modify_qp(pair_.get(), &attributes, IBV_QP_STATE | IBV_QP_SQ_PSN);
      code != 0) {
    return Failed("UD queue pair to RTS", code);
  }
  return {};
}

Status UdQueue::Send(const UdAddress& to, std::span<const std::uint8_t> packet,
                     std::uint64_t token) {
  if (packet.size() > kSendBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                "packet of " + std::to_string(packet.size()) + " bytes is too long");
  }
  if (free_sends_.empty()) {
    return Fail(ErrorCode::kResourceExhausted, "all send slots of the path are in flight");
  }
  const std::uint32_t slot = free_sends_.back();
  std::copy(packet.begin(), packet.end(), buffers_->sends[slot].begin());
  ibv_sge part{.addr = reinterpret_cast<std::uintptr_t>(buffers_->sends[slot].data()),
               .length = static_cast<std::uint32_t>(packet.size()),
               .lkey = region_->lkey};
  ibv_send_wr request{};
  request.wr_id = WorkId(false, slot);
  request.sg_list = &part;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  const bool signalled = unsignalled_ + 1 >= options_.signal_every;
  if (signalled) request.send_flags = IBV_SEND_SIGNALED;
  request.wr.ud.ah = to.handle;
  request.wr.ud.remote_qpn = to.qp_number;
  request.wr.ud.remote_qkey = to.qkey;
  ibv_send_wr* refused = nullptr;
  if (const int code = ibv_post_send(pair_.get(), &request, &refused); code != 0) {
    return Failed("post UD send", code);
  }
  free_sends_.pop_back();
  sends_in_flight_.push_back(slot);
  unsignalled_ = signalled ? 0 : unsignalled_ + 1;
  tokens_[slot] = token;
  return {};
}

std::uint64_t UdQueue::FinishSend(std::uint32_t slot) {
  while (!sends_in_flight_.empty()) {
    const std::uint32_t finished = sends_in_flight_.front();
    sends_in_flight_.pop_front();
    free_sends_.push_back(finished);
    if (finished == slot) break;
  }
  return tokens_.at(slot);
}

std::span<const std::uint8_t> UdQueue::Received(std::uint32_t slot,
                                                std::uint32_t byte_count) const {
  const auto& buffer = buffers_->receives.at(slot);
  return std::span(buffer).first(std::min<std::size_t>(byte_count, buffer.size()));
}

Status UdQueue::PostReceive(std::uint32_t slot) {
  ibv_sge part{.addr = reinterpret_cast<std::uintptr_t>(buffers_->receives.at(slot).data()),
               .length = kReceiveBytes,
               .lkey = region_->lkey};
  ibv_recv_wr request{};
  request.wr_id = WorkId(true, slot);
  request.sg_list = &part;
  request.num_sge = 1;
  ibv_recv_wr* refused = nullptr;
  if (const int code = ibv_post_recv(pair_.get(), &request, &refused); code != 0) {
    return Failed("post UD receive", code);
  }
  return {};
}

}  // namespace fairlead::linkprobe
