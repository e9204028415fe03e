export interface Statement {
  text: string;
  values: unknown[];
}
