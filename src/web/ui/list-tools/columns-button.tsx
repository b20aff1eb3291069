import { Button, Checkbox, Popover } from '@mantine/core';
import { ColumnsIcon } from '../icons.tsx';
import classes from './list-tools.module.css';

interface ColumnsButtonProps {
  /** all that can be shown, in the order of the definition */
  readonly fields: readonly { readonly name: string; readonly label: string }[];
  /** the names shown, in their order */
  readonly shown: readonly string[];
  /** undefined: the default choice */
  readonly onChange: (shown: readonly string[] | undefined) => void;
  /** whether `shown` is not the default choice */
  readonly changed: boolean;
}

/** Chooses the columns of a list. The last one cannot be hidden. */
export function ColumnsButton({ fields, shown, onChange, changed }: ColumnsButtonProps) {
  const toggle = (name: string) => {
    const next = shown.includes(name)
      ? shown.filter((other) => other !== name)
      : fields
          .map((field) => field.name)
          .filter((other) => other === name || shown.includes(other));
    if (next.length > 0) onChange(next);
  };
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={changed ? 'light' : 'subtle'}
          color={changed ? 'accent' : 'gray'}
          leftSection={<ColumnsIcon size={14} />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.columns} aria-label="Columns">
        <div className={classes.choices}>
          {fields.map(({ name, label }) => (
            <Checkbox
              key={name}
              label={label}
              checked={shown.includes(name)}
              disabled={shown.length === 1 && shown.includes(name)}
              onChange={() => toggle(name)}
            />
          ))}
        </div>
        {changed && (
          <div className={classes.foot}>
            <Button variant="subtle" color="gray" onClick={() => onChange(undefined)}>
              Back to the default columns
            </Button>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
