import { KeywordsChange, ValueChange } from '#web/fields/value-change.tsx';
import type { WrittenRules } from '#web/fields/value-text.ts';
import type { Edit } from './plan.ts';

interface EditLineProps {
  readonly edit: Edit;
  readonly label: string;
  /** how the values of the field are written */
  readonly rules: WrittenRules | undefined;
}

/** One value of a planned revision, before → after. */
export function EditLine({ edit, label, rules }: EditLineProps) {
  return edit.kind === 'field' ? (
    <ValueChange label={label} rules={rules} before={edit.before} after={edit.after} />
  ) : (
    <KeywordsChange label={label} before={edit.before} after={edit.after} />
  );
}
