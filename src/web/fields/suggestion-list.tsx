import { Popover } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './fields.module.css';
import lookUp from './look-up.module.css';

interface SuggestionListProps {
  readonly id: string;
  readonly values: readonly string[];
  /** which of them Enter takes; -1: none */
  readonly active: number;
  readonly onChoose: (value: string) => void;
}

/** Values below the editor whose place it fills. Its keys are heard by the editor, which keeps the focus. */
export function SuggestionList({ id, values, active, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <Popover
      opened
      position="bottom-start"
      width="target"
      offset={3}
      shadow="md"
      trapFocus={false}
      withRoles={false}
      // In the form's landmark, and yet not cut off at its edges.
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <div className={classes.above} />
      </Popover.Target>
      <Popover.Dropdown className={lookUp.dropdown ?? ''}>
        <div ref={list} id={id} role="listbox" aria-label="Suggestions" className={lookUp.list}>
          {values.map((value, at) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={value}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              className={classes.suggestion}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(value)}
            >
              {value}
            </div>
          ))}
        </div>
        <p className={lookUp.foot}>↓ and Enter choose one</p>
      </Popover.Dropdown>
    </Popover>
  );
}
