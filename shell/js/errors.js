// What can go wrong, each a class of its own.

export class XuankaError extends Error {
  get name() { return this.constructor.name; }
}

/** The request cannot be answered as it stands; `issues` has every reason with the path of its field. */
export class RequestError extends XuankaError {
  constructor(issues, id) {
    super(issues.map((issue) => issue.message).join('; '));
    this.issues = issues;
    this.id = id ?? null;
  }
}

/** The program could not be loaded: network, content type, a policy that forbids wasm, a broken file. */
export class LoadError extends XuankaError {}

/** The program stopped in the middle of a call. */
export class CrashError extends XuankaError {}
