/** What has happened in a queue, as the service stores it. */
export interface QueueProgress {
  readonly position: number;
  readonly field: string | null;
  readonly states: readonly {
    readonly revisionId: string;
    readonly state: 'open' | 'corrected' | 'unchanged' | 'skipped';
  }[];
}

/** Progress that is not stored yet, merged into one request. */
export function createPendingProgress() {
  let pending: QueueProgress | null = null;
  return {
    add(progress: QueueProgress): void {
      pending = merge(pending, progress);
    },
    /** what is to be sent now; null: nothing */
    take(): QueueProgress | null {
      const progress = pending;
      pending = null;
      return progress;
    },
    /** puts what could not be stored before what has happened since */
    restore(progress: QueueProgress): void {
      pending = pending ? merge(progress, pending) : progress;
    },
  };
}

function merge(before: QueueProgress | null, after: QueueProgress): QueueProgress {
  const states = new Map(
    [...(before?.states ?? []), ...after.states].map((each) => [each.revisionId, each]),
  );
  return { ...after, states: [...states.values()] };
}
