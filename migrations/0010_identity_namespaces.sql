CREATE TABLE `identity_namespaces` (
	`tenant_id` text NOT NULL,
	`target` text NOT NULL,
	`namespace` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `target`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "target_length" CHECK(length("target") <= 128),
	CONSTRAINT "namespace_length" CHECK(length("namespace") <= 4096)
);
