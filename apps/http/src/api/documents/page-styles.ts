/** Makes Swagger UI dense enough to show an operation on two screens, and removes choices of one: server, media type and links. */
export const styles = `.swagger-ui .information-container { padding-block: 0; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .description :is(p, code), .swagger-ui .response-col_description__inner :is(p, td, th) { font-size: 14px; }
.swagger-ui .scheme-container { background: none; box-shadow: none; margin: 0 0 8px; padding: 0; }
.swagger-ui .opblock-tag { padding-block: 4px; }
.swagger-ui .opblock { margin-bottom: 8px; }

.swagger-ui :is(.schemes .schemes-server-container, .response-control-media-type, .response-col_links) { display: none; }

.swagger-ui .opblock .opblock-section-header { min-height: 0; padding-block: 4px; }
.swagger-ui .opblock-description-wrapper { padding-block: 12px 8px; }
.swagger-ui .opblock .opblock-section .opblock-section-request-body > div > div { margin-bottom: 0; padding-block: 8px; }
.swagger-ui .opblock-body :is(.tab, .model-example, .response-controls, .headers__title, .highlight-code) { margin-block: 4px; }
.swagger-ui :is(.responses-inner, .table-container, .execute-wrapper) { padding-block: 8px; }
.swagger-ui .table-container > table > tbody > tr > td { padding-block: 4px; }
.swagger-ui .table-container .parameters-col_name { max-width: none; min-width: 180px; }
.swagger-ui .parameters-col_description { padding-bottom: 4px; }
.swagger-ui .parameters-col_description :is(input, select) { margin-block: 0; padding-block: 3px; }
.swagger-ui :is(.parameter__type, .parameter__in) { display: inline; padding: 0; }
.swagger-ui .parameter__deprecated:empty { display: none; }
.swagger-ui .parameter__name, .swagger-ui .renderedMarkdown p { font-size: 14px; margin-block: 4px; }
.swagger-ui table.headers :is(.header-col, .renderedMarkdown p) { font: 14px sans-serif; padding: 2px 12px 2px 0; width: auto; }
.swagger-ui .responses-inner table:is(.responses-table, .refusals details > table) { padding: 0; table-layout: fixed; width: 100%; }
.swagger-ui .responses-table .response-col_status { width: 72px; }
.swagger-ui .responses-table tbody tr td:first-of-type { min-width: 0; }
.swagger-ui .responses-table select { max-width: 100%; width: auto; }

.swagger-ui textarea.body-param__text { field-sizing: content; max-height: 320px; min-height: 96px; }
.swagger-ui .opblock-body pre.microlight { max-height: 280px; }

.swagger-ui .refusals > td { padding-top: 12px; }
.swagger-ui .refusals summary { cursor: pointer; font-size: 14px; font-weight: 700; }
.swagger-ui .refusals .response-col_status { display: none; }
.swagger-ui .refusals .renderedMarkdown :is(td, th) { font-size: 13px; padding: 2px 12px 2px 0; text-align: left; vertical-align: top; }

@media (max-width: 600px) {
  .swagger-ui .responses-table .response-col_status { width: 56px; }
  .swagger-ui .headers .header-col:nth-child(3) { display: none; }
  .swagger-ui .table-container .parameters-col_name { max-width: none; min-width: 110px; }
  .swagger-ui .responses-table code { font-size: 11px; padding-inline: 1px; }
}

html.dark-mode .swagger-ui :is(.header-col, .examples-select__section-label) { color: #e4e6e6; }
`
