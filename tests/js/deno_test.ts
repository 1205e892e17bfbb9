// The npm package under Deno, types checked, in a folder laid out as npm would: deno_test.py runs it there.
import { catalog, explain, rank, RequestError, view } from 'xuanka';

function same<T>(got: T, wanted: T) {
  if (got !== wanted) throw new Error(`${String(got).slice(0, 400)} instead of ${String(wanted).slice(0, 400)}`);
}

const request = {
  version: 1 as const,
  workload: { kind: 'lora' as const, model: { id: 'llama-2-7b' }, data: { tokens: 50e6 } },
  hardware: { gpus: ['rtx-4090-24gb'], counts: [1, 2] },
};

Deno.test("a report is the command line's", async () => {
  const report = await rank(request);
  same(report.candidates[report.recommended!].gpu, 'rtx-4090-24gb');
  same(JSON.stringify(report), JSON.stringify(JSON.parse(Deno.readTextFileSync('report.json'))));
});

Deno.test('words, formulas, the catalog', async () => {
  same(/[\u4e00-\u9fff]/.test((await view(request, { lang: 'zh' })).answer.why), true);
  same((await explain(request)).steps.length > 5, true);
  same((await catalog('gpus')).length > 90, true);
});

Deno.test('a wrong request is refused', async () => {
  same(await rank({ version: 1, workload: {} } as never).catch((error) => error instanceof RequestError), true);
});
