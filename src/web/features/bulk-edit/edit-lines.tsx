import { KeywordsChange, ValueChange } from '#web/ui/value-change.tsx';
import type { Edit } from './plan.ts';

/** One value of a planned revision, before → after. */
export function EditLine({ edit, label }: { readonly edit: Edit; readonly label: string }) {
  return edit.kind === 'field' ? (
    <ValueChange label={label} before={edit.before} after={edit.after} />
  ) : (
    <KeywordsChange label={label} before={edit.before} after={edit.after} />
  );
}
