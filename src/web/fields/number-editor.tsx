import type { EditorProps } from './editor.ts';
import classes from './fields.module.css';
import { groupedHeld, type TypedRules } from './typed-text.ts';
import { useWritten } from './use-written.ts';

interface NumberEditorProps extends EditorProps {
  readonly rules: TypedRules;
}

/** A number as the reader writes it, or in the form of the interface; nothing is rounded. */
export function NumberEditor(props: NumberEditorProps) {
  const { rules, control, readOnly = false, ref } = props;
  const written = useWritten(rules, props);
  const input = (
    <input
      {...control}
      type="text"
      ref={ref}
      readOnly={readOnly}
      autoComplete="off"
      inputMode={rules.type === 'integer' ? 'numeric' : 'decimal'}
      className={`${classes.box} ${classes.number}`}
      value={written.value}
      onChange={(event) => written.onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') written.onEnter();
      }}
      onBlur={written.onBlur}
    />
  );
  if (rules.type === 'integer') return input;
  // Drawn over the box while it is not edited: to replace the text itself would move the cursor and the selection.
  return (
    <div className={classes.amount}>
      {input}
      <span aria-hidden="true" className={classes.grouped}>
        {groupedHeld(rules, props.value)}
      </span>
    </div>
  );
}
