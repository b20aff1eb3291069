import type { ReactNode } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { Drafts } from './drafts.ts';
import type { ListPlace } from './form-head.tsx';
import type { SaveOutcome } from './use-revision-form.ts';
import type { PutStored } from './use-input-assist.ts';

/** What stands around the form of a revision: a list or a queue, and what they do with it. */
export interface FormSurroundings {
  readonly archive: ArchiveDetail;
  readonly username: string;
  /** whether another's lock does not bind the user */
  readonly administrator: boolean;
  readonly drafts: Drafts;
  /** the queue that the form stands in */
  readonly queue?: string;
  readonly place: ListPlace | null;
  readonly onMove: (by: 1 | -1) => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
  readonly preview?: { readonly shown: boolean; readonly toggle: () => void } | undefined;
  /** the field to put the cursor into when the form is there; undefined: it stays where it is */
  readonly focusOn: string | null | undefined;
  /** whether the text of that field is selected, so that typing replaces it; by default it is */
  readonly focusSelects?: boolean;
  readonly onFocused: () => void;
  /** in which field the cursor is */
  readonly onPlace: (place: string) => void;
  /** asks for the cursor in the form that comes next */
  readonly onEnterNext: () => void;
  /** opens another revision of the archive */
  readonly onOpen?: ((revisionId: string) => void) | undefined;
  /** goes on to the next revision while this one is being saved; what could not be saved is told, its draft is kept */
  readonly eager?:
    | { readonly onNotSaved: (revisionId: string, outcome: SaveOutcome) => void }
    | undefined;
  /** a revision is saved and stays open, or its save was redone (true), or undone (false) */
  readonly onTurned?: ((revisionId: string, done: boolean) => void) | undefined;
  /** the revision is saved, or was gone through without a change */
  readonly onDone?: ((how: 'corrected' | 'unchanged') => void) | undefined;
  /**
   * Stands below the fields, such as the history. `put` lays values over the form, by the places of its
   * fields, as changes that are not saved; absent where the form cannot be changed now.
   */
  readonly renderBelow?: (put: PutStored | undefined) => ReactNode;
}
