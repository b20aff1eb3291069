import * as texts from '#messages/load-data.ts';
import { type Control, useController, useWatch } from 'react-hook-form';
import { MAX_NAME_LENGTH } from '#shared/rules/names.ts';
import { useCollections } from '#web/api/collections.queries.ts';
import { collectionOptionValue, collectionOptions } from '#web/api/named-collections.ts';
import { Field } from '#web/ui/field.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { SegmentedControl } from '#web/ui/inputs/segmented-control.tsx';
import { optionsOf, Select } from '#web/ui/inputs/select.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import shared from '#web/ui/shared.module.css';
import { TARGET_KINDS } from './column-draft.ts';
import type { LoadValues } from './load-form.ts';
import classes from './load-data.module.css';

const KINDS = optionsOf(TARGET_KINDS, texts.targets);

interface LoadTargetSectionProps {
  readonly control: Control<LoadValues>;
  /** another existing archive or table is chosen */
  readonly onOther: () => void;
}

/** Chooses the archive or table of the rows, or names a new one. */
export function LoadTargetSection({ control, onOther }: LoadTargetSectionProps) {
  const { field } = useController({ control, name: 'kind' });
  const kind = useWatch({ control, name: 'kind' });
  return (
    <section className={classes.section}>
      <h2 className={shared.heading}>{texts.target}</h2>
      <SegmentedControl
        aria-label={texts.target}
        options={KINDS}
        value={kind}
        onChange={field.onChange}
        onBlur={field.onBlur}
      />
      {kind === 'existing' ? (
        <ExistingTarget control={control} onOther={onOther} />
      ) : (
        <div className={classes.fields}>
          <TextField control={control} name="label" label={texts.label} required maxLength={200} />
          <TextField
            control={control}
            name="name"
            label={texts.name}
            description={texts.nameHint}
            required
            maxLength={MAX_NAME_LENGTH}
          />
        </div>
      )}
    </section>
  );
}

/** Chooses an archive or table. */
function ExistingTarget({ control, onOther }: LoadTargetSectionProps) {
  const { field } = useController({ control, name: 'collection' });
  const { data: collections, ...query } = useCollections();
  if (!collections) return <QueryPending query={query} title={texts.targetsNotRead} />;
  return (
    <Field label={texts.existing} description={texts.rowsBecomeRecords}>
      {(controlProps) => (
        <Select
          {...controlProps}
          options={collectionOptions(collections)}
          ref={field.ref}
          value={field.value && collectionOptionValue(field.value)}
          onBlur={field.onBlur}
          onChange={(value) => {
            const chosen = collections.find(
              (named) => collectionOptionValue(named.collection) === value,
            );
            if (!chosen) return;
            field.onChange(chosen.collection);
            if (field.value && collectionOptionValue(field.value) !== value) onOther();
          }}
        />
      )}
    </Field>
  );
}
