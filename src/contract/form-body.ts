/** Checks whether a request sends a form without files. Only the picture page accepts `multipart/form-data`. */
export const isFormRequest = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/**
 * Reads the fields of a form. It avoids `text()`, because workerd takes this content type for binary data and logs a
 * warning.
 */
export const readForm = async (request: Pick<Request, 'arrayBuffer'>): Promise<URLSearchParams> =>
  new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()))
