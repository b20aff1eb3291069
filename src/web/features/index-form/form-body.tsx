import { useRef } from 'react';
import { FileList } from './file-list.tsx';
import { fieldPathOf } from './form-focus.ts';
import { RevisionNotices, type RevisionNoticesProps } from './form-notices.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './index-form.module.css';
import { RevisionConflict } from './revision-conflict.tsx';
import { RevisionFields } from './revision-fields.tsx';
import type { RevisionFormProps } from './use-form-model.ts';

type FormBodyProps = Omit<RevisionNoticesProps, 'content'> & Pick<RevisionFormProps, 'renderBelow'>;

/** The part of the form that scrolls: the fields with their notices, or the comparison with another version. */
export function FormBody(props: FormBodyProps) {
  const { model, latest, renderBelow } = props;
  const { archive, state, assist, typedIn } = model;
  const { body, onFocusCapture } = model.focus;
  const { autofill } = model.filling;
  const { base, conflict, isEditable } = state;
  const content = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={body}
      role="presentation"
      className={`${shared.scroller} ${classes.body}`}
      onInputCapture={({ target }) => {
        const at = fieldPathOf(target) ?? '';
        typedIn.current.add(at);
        autofill.typed(at.replace('indexFields.', ''));
      }}
      onBlurCapture={() => {
        if (autofill.isPending()) void autofill.settle();
      }}
      onFocusCapture={onFocusCapture}
    >
      {conflict ? (
        <RevisionConflict model={model} conflict={conflict} />
      ) : (
        <>
          <RevisionNotices {...props} content={content} />
          <div ref={content} className={classes.content}>
            <RevisionFields model={model} latest={latest} />
            <FileList archive={archive.table} revision={base.revision} />
            {renderBelow?.(isEditable ? assist.restoreValues : undefined)}
          </div>
        </>
      )}
    </div>
  );
}
