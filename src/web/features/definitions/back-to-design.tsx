import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import * as texts from '#messages/designer.ts';
import { Button } from '#web/ui/button.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import { definitionQuery } from './definitions.queries.ts';
import { useHasUnappliedDesign } from './use-unapplied-design.ts';

/**
 * Leads an administrator back to the designer of an archive whose misfits were corrected. Empty if no changes wait there.
 * @param archive its table name
 */
export function BackToDesign({ archive }: { readonly archive: string }) {
  const { data } = useQuery(definitionQuery('archive', archive));
  return data && <BackButton definition={data.definition} />;
}

function BackButton({ definition }: { readonly definition: CollectionDefinition }) {
  const navigate = useNavigate();
  const hasUnappliedDesign = useHasUnappliedDesign([definition]);
  const params = { archive: definition.id };
  return (
    hasUnappliedDesign(definition) && (
      <Button
        variant="default"
        onClick={() => void navigate({ to: '/administration/archives/$archive', params })}
      >
        {texts.backToDesign}
      </Button>
    )
  );
}
