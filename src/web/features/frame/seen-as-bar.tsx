import { useMutation } from '@tanstack/react-query';
import * as texts from '#messages/seen-as.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { writeOnly } from '#web/api/request.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { UserIcon } from '#web/ui/icons.tsx';
import { notifyFailure } from '#web/ui/notify.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import classes from './seen-as-bar.module.css';

/**
 * A bar above every page while an administrator views the service as another user: names this user, and ends the view.
 */
export function SeenAsBar() {
  const { username, displayName } = useSession();
  const { mutate, isPending } = useMutation({
    mutationFn: () => writeOnly(apiPaths.seeAsEnd(), { method: 'DELETE' }),
    // Loads a new document, so that none of the other user's data stays in memory.
    onSuccess: () => location.assign(`/administration/users?user=${encodeURIComponent(username)}`),
    onError: (error) => notifyFailure(texts.notEnded(error.message)),
  });
  return (
    <section className={classes.bar} aria-label={texts.barLabel}>
      <UserIcon size={16} />
      <p className={classes.text}>
        <RichText text={texts.seeingAs(<strong key="name">{displayName}</strong>)} />
      </p>
      <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()}>
        {texts.end}
      </Button>
    </section>
  );
}
