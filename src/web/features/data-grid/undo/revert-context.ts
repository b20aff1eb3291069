import type { Column } from '#shared/rules/definitions.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import type { CellWrite, Edits, ServerRecord } from '../edit-store/edits.ts';

/** What reverting a step reads and writes. */
export interface RevertContext {
  readonly calls: DatasetCalls;
  readonly columns: readonly Column[];
  readonly edits: () => Edits;
  /** stores the present state of a record */
  readonly receive: (stored: ServerRecord) => void;
  readonly write: (cells: readonly CellWrite[]) => void;
  /** removes records from the grid */
  readonly forget: (jrids: readonly string[]) => void;
}
