import * as texts from '#messages/list-tools.ts';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CloseIcon, PlusIcon } from '../ui/icons.tsx';
import { findByName } from '#shared/rules/names.ts';
import type { ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';

interface SortKeysProps {
  readonly fields: readonly ListField[];
  readonly sort: readonly string[];
  /** the default order in words: “By revision, ascending.” */
  readonly initially: string;
  readonly onSort: (sort: readonly string[]) => void;
}

const DIRECTIONS = [
  { value: 'up', label: texts.ascending },
  { value: 'down', label: texts.descending },
];

/** The dropdown of the sort button: the sort keys of the list. */
export function SortKeys({ fields, sort, initially, onSort }: SortKeysProps) {
  const keys = sort.map((key) => {
    const name = key.replace(/^-/, '');
    return { name: findByName(fields, name)?.name ?? name, down: key.startsWith('-') };
  });
  const write = (next: readonly { name: string; down: boolean }[]) =>
    onSort(next.map(({ name, down }) => (down ? `-${name}` : name)));
  const free = fields.filter(({ name }) => !keys.some((key) => key.name === name));
  const [nextFree] = free;
  return (
    <>
      {keys.length === 0 && <p className={classes.hint}>{initially}</p>}
      {keys.map((key, index) => (
        <div key={key.name} className={classes.sortKey}>
          <NativeSelect
            aria-label={index === 0 ? texts.sortBy : texts.thenBy}
            options={fields
              .filter(({ name }) => name === key.name || free.some((other) => other.name === name))
              .map(({ name, label }) => ({ value: name, label }))}
            value={key.name}
            onChange={(name) => write(keys.with(index, { ...key, name }))}
          />
          <NativeSelect
            aria-label={texts.direction}
            options={DIRECTIONS}
            value={key.down ? 'down' : 'up'}
            onChange={(direction) =>
              write(keys.with(index, { ...key, down: direction === 'down' }))
            }
          />
          <IconButton
            aria-label={texts.removeSortKey}
            size={26}
            onClick={() => write(keys.toSpliced(index, 1))}
          >
            <CloseIcon size={16} />
          </IconButton>
        </div>
      ))}
      <div className={classes.menuFoot}>
        <Button
          variant="subtle"
          leftSection={<PlusIcon size={14} />}
          disabled={!nextFree}
          onClick={() => nextFree && write([...keys, { name: nextFree.name, down: false }])}
        >
          {keys.length === 0 ? texts.sortByField : texts.thenByAnother}
        </Button>
      </div>
    </>
  );
}
