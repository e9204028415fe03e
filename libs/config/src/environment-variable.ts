/** What a file of settings means by `${NAME}`. Empty counts as unset, as everywhere. */
export const environmentVariable = (name: string): string | undefined => process.env[name] || undefined;
