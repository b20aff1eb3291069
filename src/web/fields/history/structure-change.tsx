import { ValueChange } from '#web/fields/value-change.tsx';
import classes from './structure-change.module.css';
import { structureChanges } from './structure-changes.ts';

interface StructureChangeProps {
  /** null: the labels of properties are enough */
  readonly label: string | null;
  /** the property whose value it is, if there are texts for its values */
  readonly property?: string;
  /** whether it is an entry of a list: a new one is one change; absent: no */
  readonly isEntry?: boolean;
  readonly before: unknown;
  readonly after: unknown;
}

/** The change of a value or structure as list items: one for each value inside of it that differs. */
export function StructureChangeItems({
  label,
  property,
  isEntry = false,
  before,
  after,
}: StructureChangeProps) {
  const keys = property === undefined ? [] : [property];
  return structureChanges(before, after, { path: [], keys, isEntry }).map((change) => {
    const pathLabel = [label ?? [], ...change.path].flat().join(' · ');
    const values = { before: change.before, after: change.after };
    return (
      <li key={pathLabel} className={classes.change}>
        <ValueChange label={pathLabel} rules={undefined} {...values} />
      </li>
    );
  });
}
