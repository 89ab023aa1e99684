// The page /api/docs. A file of its own, because its policy allows no script inside the page.
const draw = Reflect.get(window, 'SwaggerUIBundle')
draw({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  filter: true,
  // The one that is built in would send the document to somebody else.
  validatorUrl: null,
})
