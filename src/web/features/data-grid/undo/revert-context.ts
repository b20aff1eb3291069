import type { Column } from '#shared/rules/definitions.ts';
import type { EditStore } from '../edit-store/edit-store.ts';

/** Whose steps are reverted, and where. */
export interface RevertContext {
  readonly editStore: EditStore;
  /** all of the table */
  readonly columns: readonly Column[];
  /** the signed-in user */
  readonly username: string;
}
