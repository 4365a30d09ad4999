/** Plain tables. On a narrow screen each row becomes a small card, its cells labelled. */

import type { ReactNode } from "react";
import "./tables.css";

export interface Column<T> {
  title: string;
  cell: (row: T) => ReactNode;
  /** `wide` takes what is left; `end` is for numbers and buttons. */
  look?: "wide" | "end";
}

interface TableProps<T> {
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  open?: (row: T) => void;
  /** What stands below a row that is unfolded. */
  below?: (row: T) => ReactNode;
}

export function Table<T>({ label, rows, columns, keyOf, open, below }: TableProps<T>) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} className={column.look} scope="col">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={keyOf(row)} row={row} columns={columns} open={open} below={below?.(row)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  open: ((row: T) => void) | undefined;
  below: ReactNode;
}

function Row<T>({ row, columns, open, below }: RowProps<T>) {
  return (
    <>
      <tr className={open ? "opens" : undefined} onClick={open && (() => open(row))}>
        {columns.map((column) => (
          <td key={column.title} className={column.look} data-title={column.title}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {below && (
        <tr className="below">
          <td colSpan={columns.length}>{below}</td>
        </tr>
      )}
    </>
  );
}
