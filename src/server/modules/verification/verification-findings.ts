import * as texts from '#messages/service/verification.ts';
import { truncate } from '#shared/values/truncate.ts';
/** Receives the progress and the results of a verification. */
export interface VerificationReport {
  /** each replaces the previous one; called often */
  progress(text: string): void;
  /** a result that stays */
  info(line: string): void;
  /** a problem */
  fail(line: string): void;
}

/** How many characters of a value are shown. */
const MAX_SHOWN = 200;
/** How many findings are reported; the rest is counted. */
const MAX_REPORTED = 1_000;

/** Reports findings at once, and counts them. */
export class VerificationFindings {
  readonly report: VerificationReport;
  #count = 0;

  constructor(report: VerificationReport) {
    this.report = report;
  }

  get count(): number {
    return this.#count;
  }

  addAbout(subject: string, problem: string): void {
    this.add(texts.finding({ subject, problem }));
  }

  add(line: string): void {
    this.#count += 1;
    if (this.#count <= MAX_REPORTED) this.report.fail(line);
    else if (this.#count === MAX_REPORTED + 1) this.report.fail(texts.moreFindings);
  }
}

/** A value in the text of a finding. */
export function shown(value: unknown): string {
  return truncate(JSON.stringify(value) ?? 'nothing', MAX_SHOWN);
}
