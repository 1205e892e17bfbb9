/**
 * Xuanka: which GPU, and how many, for a deep-learning job. Requests and reports as `xuanka rank --json` has them; their
 * types in `types.d.ts` are made from the JSON Schemas.
 */
import type { Answer, Dataset, Issue, Model, PurchasePrice, Request, ShippedGpu, ShippedOffer, Source } from './types.js';

export * from './types.js';

export type Lang = 'en' | 'zh';

export interface Options {
  /** Language of texts, those of errors included; default English. */
  lang?: Lang;
}

/** A request as an object, or its JSON text. Numbers that are not finite are refused, not sent as null. */
export type RequestLike = Request | string;

export type CatalogKind = 'gpus' | 'models' | 'offers' | 'datasets' | 'sources' | 'purchase';

export interface CatalogEntries {
  gpus: ShippedGpu;
  models: Model;
  offers: ShippedOffer;
  datasets: Dataset;
  sources: Source;
  purchase: PurchasePrice;
}

export interface Check {
  ok: boolean;
  /** Everything wrong with the request; empty when it can be answered. */
  issues: Issue[];
  /** Paths of fields that are not known and were passed over. */
  unknown: string[];
}

/** One formula of an explanation, with the numbers put in. */
export interface ExplainStep {
  id: string;
  title: string;
  formula: string;
  /** The formula with the numbers. */
  substituted: string;
  result: string;
  source: string;
  note: string;
  value: number | null;
}

export interface Explanation {
  version: 1;
  ok: true;
  /** Of the recommended candidate, else of the nearest; null when there is none. */
  candidate: { index: number; gpu: string; count: number; verdict: string } | null;
  steps: ExplainStep[];
}

export type Tone = 'neutral' | 'ok' | 'warn' | 'bad' | 'accent';
export interface Pill {
  text: string;
  tone: Tone;
  detail: string;
}

/** The answer in words, as the page shows it. Rows have more fields than are named here: those are for display. */
export interface View {
  version: 1;
  ok: true;
  answer: {
    headline: string;
    range: string;
    why: string;
    pills: Pill[];
    alternatives: { title: string; headline: string; detail: string; candidate: number }[];
    watch: { text: string; severity: string; code: string }[];
    has_answer: boolean;
  };
  rows: {
    label: string;
    gpu: string;
    count: number;
    nodes: number;
    verdict: string;
    hours_text: string;
    cost_text: string;
    memory_text: string;
    plan_text: string;
    recommended: boolean;
    [more: string]: unknown;
  }[];
  [more: string]: unknown;
}

/** The program, loaded; every call is synchronous and takes some milliseconds. */
export class Xuanka {
  private constructor(core: never);
  /** The report. @throws RequestError, CrashError */
  rank(request: RequestLike, options?: Options): Answer;
  /** The report in words. @throws RequestError, CrashError */
  view(request: RequestLike, options?: Options): View;
  /** Every formula of the best candidate with its numbers and sources. @throws RequestError, CrashError */
  explain(request: RequestLike, options?: Options): Explanation;
  /** What is wrong with a request. */
  check(request: RequestLike, options?: Options): Check;
  /** A list of the catalog, a fresh copy. */
  catalog<Kind extends CatalogKind>(what: Kind): CatalogEntries[Kind][];
  /** False after a CrashError. */
  readonly usable: boolean;
}

export interface LoadOptions {
  /** Where the program is, or the program itself; default: `xuanka_api.wasm` beside this module. */
  wasm?: URL | string | ArrayBuffer | ArrayBufferView | Response | WebAssembly.Module;
}

/** Loads the program, once for all callers that give no `wasm`. @throws LoadError */
export function load(options?: LoadOptions): Promise<Xuanka>;
export function rank(request: RequestLike, options?: Options): Promise<Answer>;
export function view(request: RequestLike, options?: Options): Promise<View>;
export function explain(request: RequestLike, options?: Options): Promise<Explanation>;
export function check(request: RequestLike, options?: Options): Promise<Check>;
export function catalog<Kind extends CatalogKind>(what: Kind): Promise<CatalogEntries[Kind][]>;

export class XuankaError extends Error {}
/** The request cannot be answered as it stands. */
export class RequestError extends XuankaError {
  readonly issues: Issue[];
  /** The request's id, null when it had none. */
  readonly id: string | number | null;
}
/** The program could not be loaded: network, a policy that forbids wasm, a broken file. */
export class LoadError extends XuankaError {}
/** The program stopped in the middle of a call; the next `load` starts it anew. */
export class CrashError extends XuankaError {}
