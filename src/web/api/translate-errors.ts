import type { ErrorDetail, ErrorMessages } from '#shared/contract/errors.ts';
import { wordMessage } from '#shared/messages/coded-messages.ts';

/** Translates the messages of an error by their codes; a message with an unknown code keeps the text of the service. */
export function translateErrors(
  errors: ErrorMessages,
  details: readonly ErrorDetail[],
): ErrorMessages {
  return Object.fromEntries(
    Object.entries(errors).map(([path, texts]) => {
      const detailsOfPath = details.filter((detail) => detail.path === path);
      return [path, texts.map((text, at) => translated(detailsOfPath[at]) ?? text)];
    }),
  );
}

function translated(detail: ErrorDetail | undefined): string | undefined {
  return detail && wordMessage(detail.code, detail.params);
}
