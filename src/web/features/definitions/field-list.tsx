import { type KeyboardEvent, useRef, useState } from 'react';
import {
  type UseFieldArrayReturn,
  type UseFormReturn,
  useFormState,
  useWatch,
} from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ChevronDownIcon, ChevronUpIcon } from '#web/ui/icons.tsx';
import { useOnChange } from '#web/ui/use-on-change.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { type DefinitionValues, type DesignedField, newFieldValues } from './definition-form.ts';
import { firstFreeNumber } from './first-free-number.ts';
import shared from '#web/ui/shared.module.css';
import classes from './definitions.module.css';

interface FieldListProps {
  readonly form: UseFormReturn<DefinitionValues>;
  readonly list: UseFieldArrayReturn<DefinitionValues, 'fields'>;
  readonly kind: CollectionKind;
  /** its position in the list */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  /** a new field is at this position */
  readonly onAdd: (index: number) => void;
}

/**
 * The fields in their display order, keyword fields last. They are moved by dragging, by buttons, or by Alt and the arrow
 * keys.
 */
export function FieldList({ form, list, kind, selected, onSelect, onAdd }: FieldListProps) {
  const { control } = form;
  const { fields: items, insert, move } = list;
  const fields = useWatch({ control, name: 'fields' });
  const { errors } = useFormState({ control });
  const [dragged, setDragged] = useState<number | null>(null);
  const canMove = (from: number, to: number) =>
    fields[to] !== undefined && fields[to].isKeywordField === fields[from]?.isKeywordField;
  const moveTo = (from: number, to: number) => {
    if (!canMove(from, to)) return;
    move(from, to);
    onSelect(to);
  };
  const add = (isKeywordField: boolean) => {
    const number = firstFreeNumber(fields, texts.newField);
    const index = endOfKind(fields, isKeywordField);
    insert(
      index,
      newFieldValues(texts.newField(number), texts.newFieldLabel(number), isKeywordField),
    );
    onAdd(index);
  };
  const listElement = useRef<HTMLOListElement>(null);
  useOnChange(selected, () =>
    listElement.current?.children[selected]?.scrollIntoView({ block: 'nearest' }),
  );
  return (
    <div className={`${classes.fields} ${classes.fieldList}`}>
      <h2 className={shared.quietHeading}>{kind === 'archive' ? texts.fields : texts.columns}</h2>
      <ol ref={listElement} className={classes.list}>
        {items.map((item, index) => (
          <FieldItem
            // A new field that is moved stays the same, with the focus in it.
            key={item.savedName ?? item.id}
            field={fields[index] ?? item}
            isSelected={index === selected}
            isInvalid={errors.fields?.[index] !== undefined}
            onSelect={() => onSelect(index)}
            onDragged={(isDragged) => setDragged(isDragged ? index : null)}
            onDraggedOver={() => {
              if (dragged === null || dragged === index || !canMove(dragged, index)) return;
              moveTo(dragged, index);
              setDragged(index);
            }}
            canMove={(by) => canMove(index, index + by)}
            onMove={(by) => moveTo(index, index + by)}
          />
        ))}
      </ol>
      <div className={shared.buttons}>
        <Button variant="default" onClick={() => add(false)}>
          {kind === 'archive' ? texts.addField : texts.addColumn}
        </Button>
        {kind === 'archive' && (
          <Button variant="default" onClick={() => add(true)}>
            {texts.addKeywordField}
          </Button>
        )}
      </div>
    </div>
  );
}

interface FieldItemProps {
  readonly field: DesignedField;
  readonly isSelected: boolean;
  readonly isInvalid: boolean;
  readonly onSelect: () => void;
  readonly onDragged: (isDragged: boolean) => void;
  /** another field is dragged over it */
  readonly onDraggedOver: () => void;
  /** whether it can be moved up (-1) or down */
  readonly canMove: (by: 1 | -1) => boolean;
  readonly onMove: (by: 1 | -1) => void;
}

function FieldItem(props: FieldItemProps) {
  const { field, isSelected, isInvalid, onSelect, onDragged, onDraggedOver, canMove, onMove } =
    props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      className={classes.item}
      data-selected={isSelected || undefined}
      data-retired={field.retiredAt !== null || undefined}
      data-invalid={isInvalid || undefined}
    >
      <button
        type="button"
        className={classes.itemButton}
        aria-pressed={isSelected}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        draggable
        onDragStart={() => onDragged(true)}
        onDragEnd={() => onDragged(false)}
        onDragOver={(event) => {
          event.preventDefault();
          onDraggedOver();
        }}
        onClick={onSelect}
        onKeyDown={onKeyDown}
      >
        <ValueTypeIcon type={field.type} />
        <span className={classes.itemLabel}>{field.label || field.name}</span>
        <span className={shared.note}>{stateOf(field)}</span>
      </button>
      <IconButton
        size={24}
        tabIndex={-1}
        aria-label={texts.moveUp(field.label)}
        disabled={!canMove(-1)}
        onClick={() => onMove(-1)}
      >
        <ChevronUpIcon size={14} />
      </IconButton>
      <IconButton
        size={24}
        tabIndex={-1}
        aria-label={texts.moveDown(field.label)}
        disabled={!canMove(1)}
        onClick={() => onMove(1)}
      >
        <ChevronDownIcon size={14} />
      </IconButton>
    </li>
  );
}

function stateOf({ retiredAt, isKeywordField }: DesignedField): string {
  if (retiredAt !== null) return texts.retired;
  return isKeywordField ? texts.keywordField : '';
}

/** The position after the last field of a kind. The service stores keyword fields separately, and lists them last. */
function endOfKind(fields: readonly DesignedField[], isKeywordField: boolean): number {
  const firstKeywordField = fields.findIndex((field) => field.isKeywordField);
  return isKeywordField || firstKeywordField < 0 ? fields.length : firstKeywordField;
}
