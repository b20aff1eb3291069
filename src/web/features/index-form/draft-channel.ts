/**
 * Tells the other tabs of the browser for which revisions this one has written or removed drafts.
 * @param onWritten called for each revision of which another tab tells this
 * @returns the function that tells it
 */
export function draftChannel(
  username: string,
  archive: string,
  onWritten: (revisionId: string) => void,
): (revisionIds: readonly string[]) => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(`indexdesk-drafts ${JSON.stringify([username, archive])}`);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!Array.isArray(data)) return;
    for (const revisionId of new Set(data)) {
      if (typeof revisionId === 'string') onWritten(revisionId);
    }
  });
  // A channel, unlike a window, has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  return (revisionIds) => channel.postMessage(revisionIds);
}
