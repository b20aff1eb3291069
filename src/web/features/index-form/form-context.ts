import type { ReactNode } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { RestoreValues } from '#web/fields/history/entry.tsx';
import type { Drafts } from './drafts.ts';
import type { SaveOutcome } from './use-revision-writes.ts';

/** The position of a revision in its list or queue. */
interface ListPosition {
  /** from 0 */
  readonly index: number;
  readonly count: number;
}

/** The queue of a form, in which each revision moves on to the next one while it is being saved. */
interface FormQueue {
  readonly id: string;
  /** a revision that was left could not be saved; that was reported, and its draft stays stored */
  readonly onNotSaved: (revisionId: string, outcome: SaveOutcome) => void;
  /** a revision was saved and stays open, or its save was redone (true) or undone (false) */
  readonly onSaveStateChange: (revisionId: string, done: boolean) => void;
  /** the revision was saved, or passed without a change */
  readonly onFinished: (how: 'corrected' | 'unchanged') => void;
}

/** The context of a revision's form: a list or a queue, and its callbacks. */
export interface FormContext {
  readonly archive: ArchiveDetail;
  readonly username: string;
  /** whether the user may ignore another user's lock */
  readonly administrator: boolean;
  readonly drafts: Drafts;
  readonly queue?: FormQueue | undefined;
  /** null: the revision is not in the list */
  readonly listPosition: ListPosition | null;
  readonly onMove: (by: 1 | -1) => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly preview?: { readonly shown: boolean; readonly toggle: () => void } | undefined;
  /** the field to focus when the form is mounted; undefined: the focus stays */
  readonly focusOn: string | null | undefined;
  /** whether the text of that field is selected, so that typing replaces it; true by default */
  readonly focusSelects?: boolean;
  readonly onFocused: () => void;
  /** the focused field has changed */
  readonly onFieldFocus: (path: string) => void;
  /** requests the focus for the next form */
  readonly onEnterNext: () => void;
  /** opens another revision of the archive */
  readonly onOpen?: ((revisionId: string) => void) | undefined;
  /**
   * Rendered below the fields, such as the history. `onRestore` puts values into the form, by the paths of its fields, as
   * unsaved changes; absent if the form cannot be changed now.
   */
  readonly renderBelow?: (onRestore: RestoreValues | undefined) => ReactNode;
}
