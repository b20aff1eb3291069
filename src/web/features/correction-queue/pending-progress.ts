/** The progress of a queue, as stored by the service. */
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
    /** the progress to send now; null: none */
    take(): QueueProgress | null {
      const progress = pending;
      pending = null;
      return progress;
    },
    /** puts progress that could not be stored before newer progress */
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
