import { Fragment, type Key, type ReactNode } from 'react';
import type { FieldLayout } from '#shared/rules/definitions.ts';
import classes from './field-groups.module.css';

interface FieldGroupsProps<Field> {
  readonly fields: readonly Field[];
  readonly keyOf: (field: Field) => Key;
  /** null: no layout */
  readonly layoutOf: (field: Field) => FieldLayout | null;
  readonly children: (field: Field, index: number) => ReactNode;
}

/** The editors of a form under the headings of their groups; two half-width editors share a row. */
export function FieldGroups<Field>(props: FieldGroupsProps<Field>) {
  const { fields, keyOf, layoutOf, children } = props;
  const layouts = fields.map(layoutOf);
  const isPlain = layouts.every((layout) => !layout?.group && !layout?.width);
  if (isPlain) {
    return fields.map((field, index) => (
      <Fragment key={keyOf(field)}>{children(field, index)}</Fragment>
    ));
  }
  return (
    <div className={classes.container}>
      <div className={classes.grid}>
        {fields.map((field, index) => {
          const group = layouts[index]?.group;
          const isFirst = group !== layouts[index - 1]?.group;
          return (
            <Fragment key={keyOf(field)}>
              {isFirst && group !== undefined && <h3 className={classes.group}>{group}</h3>}
              {isFirst && group === undefined && index > 0 && <hr className={classes.end} />}
              <div className={classes.field} data-width={layouts[index]?.width}>
                {children(field, index)}
              </div>
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}
