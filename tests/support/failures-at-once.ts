import type { Reporter, TestCase } from 'vitest/node';

/** Prints each failure when it happens. Vitest's own reporters print it at the end, which a run of hours may not reach. */
export default class FailuresAtOnce implements Reporter {
  onTestCaseResult(test: TestCase): void {
    for (const { message, stack } of test.result().errors ?? []) {
      console.error(
        `\nFAILED ${test.module.relativeModuleId} > ${test.fullName}\n${stack ?? message}`,
      );
    }
  }
}
