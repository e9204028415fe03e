import { NotFoundError } from '@heddle/http';

export class TableNotFoundError extends NotFoundError {
  constructor(digest: string) {
    super(`Table '${digest}' not found`, 'table_not_found');
  }
}

export class RowNotFoundError extends NotFoundError {
  constructor(digest: string) {
    super(`Row '${digest}' not found`, 'row_not_found');
  }
}
