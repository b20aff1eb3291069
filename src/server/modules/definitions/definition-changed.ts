/** The definition has another version than the caller expects. */
export class DefinitionChanged extends Error {
  override readonly name = 'DefinitionChanged';
}
