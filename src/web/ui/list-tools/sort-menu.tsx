import { Button, CloseButton, NativeSelect } from '@mantine/core';
import { PlusIcon, SortIcon } from '../icons.tsx';
import { LaterPopover } from '../later-menu.tsx';
import { fieldNamed, type ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';

interface SortMenuProps {
  readonly fields: readonly ListField[];
  readonly sort: readonly string[];
  /** the order where nothing is chosen, in words: “By revision, ascending.” */
  readonly initially: string;
  readonly onSort: (sort: readonly string[]) => void;
}

const DIRECTIONS = [
  { value: 'up', label: 'ascending' },
  { value: 'down', label: 'descending' },
];

/** The order of the list, key by key. */
export function SortMenu({ fields, sort, initially, onSort }: SortMenuProps) {
  const keys = sort.map((key) => {
    const name = key.replace(/^-/, '');
    return { name: fieldNamed(fields, name)?.name ?? name, down: key.startsWith('-') };
  });
  const write = (next: readonly { name: string; down: boolean }[]) =>
    onSort(next.map(({ name, down }) => (down ? `-${name}` : name)));
  const free = fields.filter(({ name }) => !keys.some((key) => key.name === name));
  const [nextFree] = free;
  return (
    <LaterPopover
      position="bottom-end"
      trapFocus
      target={
        <Button
          variant="subtle"
          color={sort.length > 0 ? 'accent' : 'gray'}
          leftSection={<SortIcon size={15} />}
          className={classes.button ?? ''}
          aria-label={sort.length > 0 ? `Sort ${sort.length}` : 'Sort'}
        >
          <span className={classes.word}>Sort</span>{' '}
          {sort.length > 0 && <span className={classes.count}>{sort.length}</span>}
        </Button>
      }
      label="Order of the list"
      className={classes.menu ?? ''}
    >
      {keys.length === 0 && <p className={classes.hint}>{initially}</p>}
      {keys.map((key, place) => (
        <div key={key.name} className={classes.sortKey}>
          <NativeSelect
            aria-label={place === 0 ? 'Sort by' : 'Then by'}
            data={fields
              .filter(({ name }) => name === key.name || free.some((other) => other.name === name))
              .map(({ name, label }) => ({ value: name, label }))}
            value={key.name}
            onChange={(event) => write(keys.with(place, { ...key, name: event.target.value }))}
          />
          <NativeSelect
            aria-label="Direction"
            data={DIRECTIONS}
            value={key.down ? 'down' : 'up'}
            onChange={(event) =>
              write(keys.with(place, { ...key, down: event.target.value === 'down' }))
            }
          />
          <CloseButton
            aria-label="Do not sort by it"
            size={26}
            onClick={() => write(keys.toSpliced(place, 1))}
          />
        </div>
      ))}
      <div className={classes.menuFoot}>
        <Button
          variant="subtle"
          leftSection={<PlusIcon size={14} />}
          disabled={!nextFree}
          onClick={() => nextFree && write([...keys, { name: nextFree.name, down: false }])}
        >
          {keys.length === 0 ? 'Sort by a field' : 'Then by another'}
        </Button>
      </div>
    </LaterPopover>
  );
}
