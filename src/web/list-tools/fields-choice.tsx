import * as texts from '#messages/list-tools.ts';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { SortDownIcon, SortUpIcon } from '../ui/icons.tsx';
import { ValueTypeIcon } from '../fields/value-type-icon.tsx';
import { chosenFields, defaultFields, type ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';

interface FieldsChoiceProps {
  readonly fields: readonly ListField[];
  readonly chosen: readonly string[] | undefined;
  /** undefined: back to the default columns */
  readonly onChoose: (columns: readonly string[] | undefined) => void;
}

/** The dropdown of the fields button: a checkbox for each field, and the visible columns in order. */
export function FieldsChoice({ fields, chosen, onChoose }: FieldsChoiceProps) {
  const shown = chosenFields(fields, chosen);
  const hidden = fields.filter((field) => !shown.includes(field));
  const choose = (next: readonly ListField[]) => {
    const names = next.map(({ name }) => name);
    const initial = defaultFields(fields).map(({ name }) => name);
    onChoose(names.join() === initial.join() ? undefined : names);
  };
  const move = (field: ListField, by: number) => {
    const at = shown.indexOf(field);
    const to = at + by;
    if (to < 0 || to >= shown.length) return;
    choose(shown.toSpliced(at, 1).toSpliced(to, 0, field));
  };
  return (
    <>
      <ul className={classes.fields}>
        {shown.map((field, index) => (
          <li key={field.name} className={classes.field}>
            <Checkbox
              checked
              disabled={shown.length === 1}
              onChange={() => choose(shown.filter((other) => other !== field))}
              label={<FieldName field={field} />}
            />
            <IconButton
              aria-label={texts.moveUp(field.label)}
              disabled={index === 0}
              onClick={() => move(field, -1)}
              size={24}
            >
              <SortUpIcon size={13} />
            </IconButton>
            <IconButton
              aria-label={texts.moveDown(field.label)}
              disabled={index === shown.length - 1}
              onClick={() => move(field, 1)}
              size={24}
            >
              <SortDownIcon size={13} />
            </IconButton>
          </li>
        ))}
        {hidden.map((field) => (
          <li key={field.name} className={classes.field}>
            <Checkbox
              checked={false}
              onChange={() => choose([...shown, field])}
              label={<FieldName field={field} />}
            />
          </li>
        ))}
      </ul>
      <div className={classes.menuFoot}>
        <Button variant="subtle" color="gray" onClick={() => choose(fields)}>
          {texts.showAll}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          disabled={chosen === undefined}
          onClick={() => onChoose(undefined)}
        >
          {texts.reset}
        </Button>
      </div>
    </>
  );
}

function FieldName({ field }: { readonly field: ListField }) {
  return (
    <span className={classes.fieldName}>
      <ValueTypeIcon type={field.type} size={13} />
      {field.label}
    </span>
  );
}
