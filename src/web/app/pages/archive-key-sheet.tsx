import * as texts from '#messages/workspaces.ts';
import type { ComponentProps } from 'react';
import { LIST_KEY_LIST } from '#web/features/archive-list/list-keys.ts';
import { VIEWER_KEY_LIST } from '#web/features/document-preview/viewer-keys.ts';
import { FORM_KEY_LIST } from '#web/features/index-form/form-keys.ts';
import { headingKeySheet } from '#web/grid/key-bindings.ts';
import { KeySheetDialog } from '#web/ui/key-sheet-dialog.tsx';

const SECTIONS = [
  { title: texts.keySections.list, keys: LIST_KEY_LIST },
  { title: texts.keySections.heading, keys: headingKeySheet(texts.headingMenu) },
  { title: texts.keySections.form, keys: FORM_KEY_LIST },
  { title: texts.keySections.document, keys: VIEWER_KEY_LIST },
];

/** The key sheet of an archive, which is loaded with its texts. */
export function ArchiveKeySheet({ sections, ...props }: ComponentProps<typeof KeySheetDialog>) {
  return <KeySheetDialog {...props} sections={[...SECTIONS, ...sections]} />;
}
