// Compiled with tsc --strict: good uses must pass, marked wrong ones must not.
import { catalog, check, explain, load, rank, RequestError, view } from 'xuanka';
import type { Candidate, Ledger, Request, RequestLike, ShippedGpu, View, Xuanka } from 'xuanka';

const request: Request = {
  version: 1,
  workload: {
    kind: 'qlora',
    model: { transformer: { layers: 32, hidden: 4096, heads: 32, moe: { experts: 8, top_k: 2 } } },
    image_size: [800, 1333],
    data: { tokens: 1e9 },
    precision: null,
  },
  hardware: { gpus: ['a100-sxm-80gb'], counts: [1, 2], plan: { zero: 3 } },
  decision: { deadline_hours: null, budget: { amount: 500, currency: 'CNY' }, offers: { billing: ['spot'] } },
  overrides: { fx: { USD_CNY: 7.2 }, gpus: [{ id: 'x-1gb', memory_gb: 1, bandwidth_gb_s: 2, tflops: { fp32: 1 } }] },
  _note: 'mine',
};

export async function use(): Promise<number> {
  const report = await rank(request, { lang: 'zh' });
  const best: Candidate | undefined = report.recommended === null ? undefined : report.candidates[report.recommended];
  const seconds: number | null | undefined = best?.time.seconds;
  const cost: number = best?.cost?.amount ?? 0;
  const break_even = best && 'break_even_hours' in best.ledger ? (best.ledger as Ledger).break_even_hours : null;
  const worded: View = await view(request);
  const program: Xuanka = await load({ wasm: new URL('https://example.org/x.wasm') });
  const gpus: ShippedGpu[] = program.catalog('gpus');
  const dense: number | null | undefined = gpus[0]?.tflops.fp16_tensor;
  const sources: string[] = (await catalog('sources')).map((source) => source.says);
  const steps = (await explain(request)).steps.map((step) => step.formula);
  const issues = (await check(request)).issues.map((issue) => issue.code === 'out_of_range');
  try {
    program.rank(request);
  } catch (error) {
    if (error instanceof RequestError) console.log(error.issues[0]?.path, error.id);
  }
  return cost + (seconds ?? 0) + (dense ?? 0) + (break_even ?? 0) + sources.length + steps.length + issues.length + worded.rows.length;
}

// @ts-expect-error: the model is missing
export const no_model: Request = { version: 1, workload: {} };
// @ts-expect-error: no such kind of job
export const bad_kind: Request = { version: 1, workload: { kind: 'loar', model: { id: 'gpt2' } } };
// @ts-expect-error: no such field
export const bad_field: Request = { version: 1, workload: { model: { id: 'gpt2' } }, hardwear: {} };
// @ts-expect-error: money has a currency
export const bad_money: Request = { version: 1, workload: { model: { id: 'gpt2' } }, decision: { budget: { amount: 3 } } };
// @ts-expect-error: no such version
export const bad_version: RequestLike = { version: 2, workload: { model: { id: 'gpt2' } } };
export async function wrong(): Promise<void> {
  // @ts-expect-error: no such list
  await catalog('prices');
  // @ts-expect-error: no such language
  await rank(request, { lang: 'fr' });
  const report = await rank(request);
  // @ts-expect-error: seconds may be null
  const seconds: number = report.candidates[0]!.time.seconds;
  // @ts-expect-error: no such field of a report
  console.log(seconds, report.recommendation);
}
