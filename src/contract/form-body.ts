/**
 * Checks whether the body of a request is a form without files. Only the picture page accepts `multipart/form-data`.
 */
export const isFormRequest = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/**
 * Reads the fields of a form. It does not use `text()`, because workerd treats this content type as binary data and
 * would log a warning.
 */
export const readForm = async (request: Pick<Request, 'arrayBuffer'>): Promise<URLSearchParams> =>
  new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()))
