// The page /api/docs. A file of its own, because its policy allows no script inside the page.
const renderSwagger = Reflect.get(window, 'SwaggerUIBundle')
renderSwagger({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  filter: true,
  // The default validator would send the document to another site.
  validatorUrl: null,
})
