#include "shell/probe/cuda/block.hpp"

#include <cmath>

#include "shell/probe/cuda/kernels.hpp"
#include "shell/probe/cuda/timing.hpp"

namespace xuanka::probe {
namespace {

// The layer's buffers and steps. Row-major: activations are tokens x width, weights out x in. Keys
// and values stand once for each query head, as where they are repeated before attention.
class Layer {
 public:
  Layer(const Block& block, bool bf16) : bf16_(bf16), type_(bf16 ? CUDA_R_16BF : CUDA_R_16F) {
    const auto whole = [](double value) { return static_cast<int>(value); };
    batch_ = whole(block.batch), seq_ = whole(block.seq_len), hidden_ = whole(block.hidden);
    heads_ = whole(block.heads), dim_ = whole(block.head_dim), ffn_ = whole(block.ffn);
    q_ = heads_ * dim_;
    qkv_ = q_ + 2 * whole(block.kv_heads) * dim_;
    up_ = block.gated ? 2 * ffn_ : ffn_;
    gated_ = block.gated;
    tokens_ = batch_ * seq_;
  }

  Done prepare() {
    XUANKA_CUDA(cudaStreamCreateWithFlags(stream_.out(), cudaStreamNonBlocking));
    XUANKA_CUDA(cublasCreate(blas_.out()));
    XUANKA_CUDA(cublasSetStream(blas_.get(), stream_.get()));
    const auto scores = size(batch_ * heads_, seq_) * static_cast<std::size_t>(seq_);
    struct Want {
      Memory* to;
      std::size_t count;
      int inputs = 0;  // of a weight: what of it is added up in one product
    };
    for (const Want& want : {Want{&x_, size(tokens_, hidden_)},
                             Want{&y_, size(tokens_, hidden_)},
                             Want{&normed_, size(tokens_, hidden_)},
                             Want{&dx_, size(tokens_, hidden_)},
                             Want{&dy_, size(tokens_, hidden_)},
                             Want{&wide_, size(tokens_, std::max(qkv_, 3 * q_))},
                             Want{&dwide_, size(tokens_, std::max(qkv_, 3 * q_))},
                             Want{&mixed_, size(tokens_, q_)},
                             Want{&dmixed_, size(tokens_, q_)},
                             Want{&scores_, scores},
                             Want{&dscores_, scores},
                             Want{&inner_, size(tokens_, up_)},
                             Want{&dinner_, size(tokens_, up_)},
                             Want{&act_, size(tokens_, ffn_)},
                             Want{&dact_, size(tokens_, ffn_)},
                             Want{&w_norm_, size(1, hidden_), 1},
                             Want{&w_qkv_, size(qkv_, hidden_), hidden_},
                             Want{&w_out_, size(hidden_, q_), q_},
                             Want{&w_up_, size(up_, hidden_), hidden_},
                             Want{&w_down_, size(hidden_, ffn_), ffn_},
                             Want{&dw_, size(std::max(qkv_, up_), hidden_)},
                             Want{&dw_down_, size(hidden_, std::max(ffn_, q_))}}) {
      auto memory = allocate(want.count * 2);
      XUANKA_DONE(memory);
      *want.to = *std::move(memory);
      const auto type = bf16_ ? kernels::Type::kBfloat16 : kernels::Type::kHalf;
      // Weights that keep the variance of what they multiply (uniform noise has 1/12): half
      // precision overflows otherwise.
      const float scale = want.inputs > 0 ? std::sqrt(12.0F / static_cast<float>(want.inputs)) : 1;
      XUANKA_CUDA(kernels::fill(want.to->get(), want.count, type, stream_.get(), scale));
    }
    XUANKA_CUDA(cudaStreamSynchronize(stream_.get()));
    return {};
  }

  Done forward() {
    XUANKA_CUDA(kernels::norm(normed_.get(), x_.get(), w_norm_.get(), tokens_, hidden_, bf16_,
                              stream_.get()));
    XUANKA_DONE(linear(wide_, normed_, w_qkv_, qkv_, hidden_));
    const float scale = 1.0F / std::sqrt(static_cast<float>(dim_));
    XUANKA_DONE(
        per_head(scores_, key(), query(), seq_, seq_, dim_, CUBLAS_OP_T, CUBLAS_OP_N, dim_, dim_));
    XUANKA_CUDA(kernels::softmax(scores_.get(), rows(), seq_, scale, bf16_, stream_.get()));
    XUANKA_DONE(per_head(mixed_, value(), scores_.get(), dim_, seq_, seq_, CUBLAS_OP_N, CUBLAS_OP_N,
                         dim_, seq_));
    XUANKA_DONE(linear(y_, mixed_, w_out_, hidden_, q_));
    XUANKA_CUDA(kernels::add(y_.get(), x_.get(), size(tokens_, hidden_), bf16_, stream_.get()));
    XUANKA_CUDA(kernels::norm(normed_.get(), y_.get(), w_norm_.get(), tokens_, hidden_, bf16_,
                              stream_.get()));
    XUANKA_DONE(linear(inner_, normed_, w_up_, up_, hidden_));
    XUANKA_CUDA(kernels::gate(act_.get(), inner_.get(), gated_ ? second(inner_) : nullptr,
                              size(tokens_, ffn_), bf16_, stream_.get()));
    XUANKA_DONE(linear(dy_, act_, w_down_, hidden_, ffn_));
    XUANKA_CUDA(kernels::add(dy_.get(), y_.get(), size(tokens_, hidden_), bf16_, stream_.get()));
    return {};
  }

  Done backward() {
    XUANKA_DONE(linear_backward(dact_, dw_down_, dy_, act_, w_down_, hidden_, ffn_));
    XUANKA_CUDA(kernels::gate_backward(dinner_.get(), gated_ ? second(dinner_) : nullptr,
                                       dact_.get(), inner_.get(), gated_ ? second(inner_) : nullptr,
                                       size(tokens_, ffn_), bf16_, stream_.get()));
    XUANKA_DONE(linear_backward(dx_, dw_, dinner_, normed_, w_up_, up_, hidden_));
    XUANKA_CUDA(kernels::norm_backward(dx_.get(), dx_.get(), y_.get(), w_norm_.get(), tokens_,
                                       hidden_, bf16_, stream_.get()));
    XUANKA_CUDA(kernels::add(dx_.get(), dy_.get(), size(tokens_, hidden_), bf16_, stream_.get()));
    XUANKA_DONE(linear_backward(dmixed_, dw_down_, dx_, mixed_, w_out_, hidden_, q_));
    XUANKA_DONE(attention_backward());
    XUANKA_DONE(linear_backward(dx_, dw_, dwide_, normed_, w_qkv_, qkv_, hidden_));
    XUANKA_CUDA(kernels::norm_backward(dx_.get(), dx_.get(), x_.get(), w_norm_.get(), tokens_,
                                       hidden_, bf16_, stream_.get()));
    XUANKA_CUDA(kernels::add(dx_.get(), dy_.get(), size(tokens_, hidden_), bf16_, stream_.get()));
    return {};
  }

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }

 private:
  [[nodiscard]] static std::size_t size(int a, int b) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
  }
  [[nodiscard]] long long rows() const { return static_cast<long long>(batch_) * heads_ * seq_; }
  // Queries, keys and values of all heads, one after the other.
  [[nodiscard]] char* part(const Memory& memory, int index) const {
    return static_cast<char*>(memory.get()) +
           size(tokens_, q_) * 2 * static_cast<std::size_t>(index);
  }
  [[nodiscard]] void* query() const { return part(wide_, 0); }
  [[nodiscard]] void* key() const { return part(wide_, 1); }
  [[nodiscard]] void* value() const { return part(wide_, 2); }
  [[nodiscard]] void* second(const Memory& memory) const {
    return static_cast<char*>(memory.get()) + size(tokens_, ffn_) * 2;
  }

  // C(m x n) column-major = op(A) op(B).
  Done product(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void* a,
               int lda, const void* b, int ldb, void* c, int ldc) {
    const float one = 1;
    const float zero = 0;
    return checked(cublasGemmEx(blas_.get(), ta, tb, m, n, k, &one, a, type_, lda, b, type_, ldb,
                                &zero, c, type_, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }
  // y = x w^T.
  Done linear(const Memory& y, const Memory& x, const Memory& w, int out, int in) {
    return product(CUBLAS_OP_T, CUBLAS_OP_N, out, tokens_, in, w.get(), in, x.get(), in, y.get(),
                   out);
  }
  // dx = dy w, dw = dy^T x.
  Done linear_backward(const Memory& dx, const Memory& dw, const Memory& dy, const Memory& x,
                       const Memory& w, int out, int in) {
    XUANKA_DONE(product(CUBLAS_OP_N, CUBLAS_OP_N, in, tokens_, out, w.get(), in, dy.get(), out,
                        dx.get(), in));
    return product(CUBLAS_OP_N, CUBLAS_OP_T, in, out, tokens_, x.get(), in, dy.get(), out, dw.get(),
                   in);
  }
  // The same product for every head: C(m x n) = op(A) op(B), contiguous head after head.
  Done per_head(const Memory& c, const void* a, const void* b, int m, int n, int k,
                cublasOperation_t ta, cublasOperation_t tb, int lda, int ldb) {
    return per_head(c.get(), a, b, m, n, k, ta, tb, lda, ldb);
  }
  Done per_head(void* c, const void* a, const void* b, int m, int n, int k, cublasOperation_t ta,
                cublasOperation_t tb, int lda, int ldb) {
    const float one = 1;
    const float zero = 0;
    const auto area = [](int rows, int columns) { return static_cast<long long>(rows) * columns; };
    return checked(cublasGemmStridedBatchedEx(
        blas_.get(), ta, tb, m, n, k, &one, a, type_, lda, area(m, k), b, type_, ldb, area(k, n),
        &zero, c, type_, m, area(m, n), batch_ * heads_, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }
  Done attention_backward() {
    const float scale = 1.0F / std::sqrt(static_cast<float>(dim_));
    // dV = dO P^T, dP = V^T dO, then dS, dQ = K dS, dK = Q dS^T.
    XUANKA_DONE(per_head(part(dwide_, 2), dmixed_.get(), scores_.get(), dim_, seq_, seq_,
                         CUBLAS_OP_N, CUBLAS_OP_T, dim_, seq_));
    XUANKA_DONE(per_head(dscores_, value(), dmixed_.get(), seq_, seq_, dim_, CUBLAS_OP_T,
                         CUBLAS_OP_N, dim_, dim_));
    XUANKA_CUDA(kernels::softmax_backward(dscores_.get(), scores_.get(), rows(), seq_, scale, bf16_,
                                          stream_.get()));
    XUANKA_DONE(per_head(part(dwide_, 0), key(), dscores_.get(), dim_, seq_, seq_, CUBLAS_OP_N,
                         CUBLAS_OP_N, dim_, seq_));
    return per_head(part(dwide_, 1), query(), dscores_.get(), dim_, seq_, seq_, CUBLAS_OP_N,
                    CUBLAS_OP_T, dim_, seq_);
  }

  bool bf16_, gated_ = true;
  cudaDataType_t type_;
  int batch_ = 0, seq_ = 0, tokens_ = 0, hidden_ = 0, heads_ = 0, dim_ = 0, ffn_ = 0, q_ = 0,
      qkv_ = 0, up_ = 0;
  Stream stream_;
  Memory x_, y_, normed_, dx_, dy_, wide_, dwide_, mixed_, dmixed_, scores_, dscores_, inner_,
      dinner_, act_, dact_;
  Memory w_norm_, w_qkv_, w_out_, w_up_, w_down_, dw_, dw_down_;
  Blas blas_;  // last: destroyed before the stream it works on
};

}  // namespace

Tried<BlockTiming> time_block(const Block& block, bool bf16, const Effort& effort, const Nvml& nvml,
                              const char* pci) {
  Layer layer(block, bf16);
  XUANKA_DONE(layer.prepare());
  BlockTiming timing;
  auto forward = time_on(layer.stream(), effort, nvml, pci, [&] { return layer.forward(); });
  XUANKA_DONE(forward);
  timing.forward = *std::move(forward);
  auto backward = time_on(layer.stream(), effort, nvml, pci, [&] { return layer.backward(); });
  XUANKA_DONE(backward);
  timing.backward = *std::move(backward);
  return timing;
}

}  // namespace xuanka::probe
