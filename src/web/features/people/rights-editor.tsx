import { Fragment, useState } from 'react';
import * as texts from '#messages/people.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import type { NamedCollection } from '#web/api/named-collections.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { useCollections } from '#web/api/collections.queries.ts';
import { useFieldsOf } from './use-fields-of.ts';
import { FIELD_ACCESS_OPTIONS, RIGHT_OPTIONS } from './right-options.ts';
import { accessOfField, fieldEntries, rightOf, withAccess, withRight } from './chosen-rights.ts';
import shared from '#web/ui/shared.module.css';
import classes from './people.module.css';

interface RightsEditorProps {
  readonly value: Rights;
  readonly onChange: (rights: Rights) => void;
}

/** The rights of a user or group on each archive and table, and on their fields. */
export function RightsEditor({ value, onChange }: RightsEditorProps) {
  const collections = useCollections();
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <fieldset className={classes.fieldset}>
      <legend className={shared.quietHeading}>{texts.rights}</legend>
      {!collections.data && <QueryPending query={collections} title={texts.collectionsNotRead} />}
      <div className={classes.rights}>
        {collections.data?.map((named) => {
          const { collection, name } = named;
          const right = rightOf(value, collection);
          const isOpen = opened === collection.id && right !== 'none';
          return (
            <Fragment key={collection.id}>
              <span className={classes.rightName}>{name}</span>
              <NativeSelect
                aria-label={texts.rightOn(name)}
                options={RIGHT_OPTIONS}
                value={right}
                onChange={(chosen) => onChange(withRight(value, collection, chosen))}
              />
              <Button
                variant="subtle"
                color={fieldEntries(value, collection).length > 0 ? 'accent' : 'gray'}
                size="compact-sm"
                disabled={right === 'none'}
                aria-expanded={isOpen}
                onClick={() => setOpened(isOpen ? null : collection.id)}
              >
                {texts.fieldsButton}
              </Button>
              {isOpen && <FieldRights named={named} value={value} onChange={onChange} />}
            </Fragment>
          );
        })}
      </div>
    </fieldset>
  );
}

interface FieldRightsProps extends RightsEditorProps {
  readonly named: NamedCollection;
}

function FieldRights({ named: { collection, name }, value, onChange }: FieldRightsProps) {
  const fields = useFieldsOf(collection);
  return (
    <div className={classes.fieldRights} role="group" aria-label={texts.fieldsOf(name)}>
      {!fields.data && <QueryPending query={fields} title={texts.fieldsNotRead} />}
      {fields.data?.map((field) => (
        <Fragment key={field.name}>
          <span>{field.label}</span>
          <NativeSelect
            aria-label={texts.accessOfField(field.label)}
            options={FIELD_ACCESS_OPTIONS}
            value={accessOfField(value, collection, field.name)}
            onChange={(access) => onChange(withAccess(value, collection, field.name, access))}
          />
        </Fragment>
      ))}
    </div>
  );
}
