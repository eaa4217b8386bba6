#include "linkprobe/verbs/rc_queue.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <string>

#include "linkprobe/transport/transport.h"

namespace fairlead::linkprobe {
namespace {

// All that the attribute's three bits hold. A peer that is gone is given up after eight ACK
// timeouts.
constexpr std::uint8_t kRetries = 7;
constexpr std::uint32_t kFirstFlowLabel = 0x2000;

tl::unexpected<Error> Failed(const char* what, int code) {
  return Fail(code == ENOMEM ? ErrorCode::kResourceExhausted : ErrorCode::kInternal,
              std::string(what) + ": " + std::strerror(code) +
                  (code == ENOMEM ? "; raise the locked-memory limit (ulimit -l) to 16 MiB" : ""));
}

}  // namespace

Result<RcQueue> RcQueue::Create(ibv_pd* domain, ibv_cq* completions, const RcQueueOptions& options,
                                bool writable) {
  ibv_qp_init_attr wanted{};
  wanted.send_cq = completions;
  wanted.recv_cq = completions;
  wanted.qp_type = IBV_QPT_RC;
  wanted.cap.max_send_wr = options.send_requests;
  wanted.cap.max_recv_wr = 1;
  wanted.cap.max_send_sge = 1;
  wanted.cap.max_recv_sge = 1;
  VerbsQueuePair pair(ibv_create_qp(domain, &wanted));
  if (!pair) return Failed("create RC queue pair", errno);
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.port_num = options.port;
  attributes.qp_access_flags = writable ? IBV_ACCESS_REMOTE_WRITE : 0;
  if (const int code =
          ibv_modify_qp(pair.get(), &attributes,
                        IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
      code != 0) {
    return Failed("RC queue pair to INIT", code);
  }
  std::random_device random;
  return RcQueue(options, std::move(pair), random() & 0xffffff);
}

Status RcQueue::Connect(const BulkQueue& peer, ibv_mtu path_mtu, std::uint32_t ack_timeout) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTR;
  attributes.path_mtu = path_mtu;
  attributes.dest_qp_num = peer.qp_number;
  attributes.rq_psn = peer.psn;
  attributes.max_dest_rd_atomic = 1;
  attributes.min_rnr_timer = 12;
  attributes.ah_attr.is_global = 1;
  attributes.ah_attr.port_num = options_.port;
  std::memcpy(attributes.ah_attr.grh.dgid.raw, peer.gid.data(), peer.gid.size());
  attributes.ah_attr.grh.sgid_index = options_.gid_index;
  attributes.ah_attr.grh.hop_limit = kInitialHopLimit;
  attributes.ah_attr.grh.traffic_class = options_.traffic_class;
  attributes.ah_attr.grh.flow_label = kFirstFlowLabel + options_.index;
  if (const int code =
          ibv_modify_qp(pair_.get(), &attributes,
                        IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                            IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
      code != 0) {
    return Fail(ErrorCode::kUnavailable, std::string("RC queue pair to RTR: ") +
                                             std::strerror(code) +
                                             "; no route or neighbour for the peer's GID?");
  }
  attributes = ibv_qp_attr{};
  attributes.qp_state = IBV_QPS_RTS;
  attributes.sq_psn = psn_;
  attributes.timeout = static_cast<std::uint8_t>(std::min(ack_timeout, 31U));
  attributes.retry_cnt = kRetries;
  attributes.rnr_retry = kRetries;
  attributes.max_rd_atomic = 1;
  if (const int code =
          ibv_modify_qp(pair_.get(), &attributes,
                        IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                            IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
      code != 0) {
    return Failed("RC queue pair to RTS", code);
  }
  return {};
}

Status RcQueue::Write(const ibv_sge& part, std::uint64_t remote_address, std::uint32_t remote_key,
                      std::uint64_t wr_id) {
  ibv_sge copy = part;
  ibv_send_wr request{};
  request.wr_id = wr_id;
  request.sg_list = &copy;
  request.num_sge = 1;
  request.opcode = IBV_WR_RDMA_WRITE;
  request.send_flags = IBV_SEND_SIGNALED;
  request.wr.rdma.remote_addr = remote_address;
  request.wr.rdma.rkey = remote_key;
  ibv_send_wr* refused = nullptr;
  if (const int code = ibv_post_send(pair_.get(), &request, &refused); code != 0) {
    return Failed("post RDMA write", code);
  }
  return {};
}

}  // namespace fairlead::linkprobe
