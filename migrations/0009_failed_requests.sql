CREATE TABLE `failed_requests` (
	`tenant_id` text NOT NULL,
	`hour` integer NOT NULL,
	`application_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`error` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `hour`, `application_id`, `endpoint`, `error`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "application_id_length" CHECK(length("application_id") <= 21),
	CONSTRAINT "endpoint_length" CHECK(length("endpoint") <= 32),
	CONSTRAINT "error_length" CHECK(length("error") <= 64)
);
